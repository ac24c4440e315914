import { figure } from "./figures/gaussian-rule.js";
import { showFigures } from "./lib/widget.js";

showFigures("gaussian-rule", figure);
