"""The owner's options: what they may be, how they are read, and what is wrong with them."""
