"""Look at the built pages as readers do: by eye, by keyboard, by a screen reader, on
paper, through the three doors.
"""
