"""What anybody can do in the portal, by what it is about, each with its permission check."""
