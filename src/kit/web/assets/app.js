import "./live.js";
import "./keys.js";
import "./finder-key.js";
import { followPart } from "./swap.js";
import "./saved-form.js";
import "./busy.js";
import "./menus.js";
import "./pointing.js";
import "./days.js";

followPart();
