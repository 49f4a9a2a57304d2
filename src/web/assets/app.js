import "./live.js";
import "./keys.js";
import "./finder.js";
import "./select.js";
import "./swap.js";
import "./kept.js";
import "./menus.js";
import "./progress.js";
