"""One step of MBDE and its weak learner: the instances on which the statements about it are checked."""
