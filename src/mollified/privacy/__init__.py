"""Privacy of what is released: the instances on which the statements about it are checked."""
