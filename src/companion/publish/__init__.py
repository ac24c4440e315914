"""What leaves the house: archive, PDF, citation, crate, downloads."""
