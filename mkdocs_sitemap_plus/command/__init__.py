"""All that only the command needs: no build of MkDocs imports anything of this folder."""
