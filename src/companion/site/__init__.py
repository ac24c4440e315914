"""The pages: directives, links, print, rendering."""
