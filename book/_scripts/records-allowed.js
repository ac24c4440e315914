import { figure } from "./figures/records-allowed.js";
import { showFigures } from "./lib/widget.js";

showFigures("records-allowed", figure);
