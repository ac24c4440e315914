import { figure } from "./figures/split-budget.js";
import { showFigures } from "./lib/widget.js";

showFigures("split-budget", figure);
