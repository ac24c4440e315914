"""How the book and its pages are cited, and where they are published."""
