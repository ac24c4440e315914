import { figure } from "./figures/gain-and-barrier.js";
import { showFigures } from "./lib/widget.js";

showFigures("gain-and-barrier", figure);
