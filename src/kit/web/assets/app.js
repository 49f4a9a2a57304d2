import "./live.js";
import "./keys.js";
import "./finder-key.js";
import "./swap.js";
import "./saved-form.js";
import "./busy.js";
import "./menus.js";
import "./pointing.js";
import "./days.js";

// The script that updates the part with `data-refresh` is loaded when the first update is due.
const part = document.querySelector("[data-refresh]");
if (part) {
  // As the server sent it: meanwhile the person may change it.
  const served = part.outerHTML;
  const load = () => import("./progress.js").then(({ followFrom }) => followFrom(served)).catch(() => {});
  setTimeout(load, 1000 * (Number(part.dataset.refresh) || 1));
}
