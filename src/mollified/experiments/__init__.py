"""The experiments of the papers, and those of this book."""
