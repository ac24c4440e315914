import { figure } from "./figures/drop-of-a-round.js";
import { showFigures } from "./lib/widget.js";

showFigures("drop-of-a-round", figure);
