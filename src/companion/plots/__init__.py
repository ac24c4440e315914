"""Draw the figures of the book from their tables: one module for each page or study, no mathematics."""
