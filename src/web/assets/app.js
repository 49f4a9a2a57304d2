import "./live.js";
import "./keys.js";
import "./finder.js";
import "./select.js";
import "./swap.js";
import "./progress.js";
