"""A project and the built folder of any builder, as the `Site` that the plugin makes, too."""
