import { figure } from "./figures/captured-mass.js";
import { showFigures } from "./lib/widget.js";

showFigures("captured-mass", figure);
