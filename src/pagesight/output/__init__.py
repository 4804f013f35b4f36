"""What a page looks like in other formats."""
