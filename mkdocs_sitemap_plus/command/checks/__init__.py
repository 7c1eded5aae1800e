"""What `check` finds: rules, and what asks them."""
