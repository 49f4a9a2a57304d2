/**
 * A page about something that goes on follows it: `data-refresh` marks the part that changes meanwhile. When the page has no such
 * part any more, that something is over, and the page is loaded as it is then. What takes long is asked for less often, and nobody
 * asks for a page that nobody sees.
 */

const LONGEST_MS = 10_000;
let pauseMs = 1000;

if (document.querySelector("[data-refresh]") !== null) setTimeout(follow, pauseMs);

async function follow() {
  if (!document.hidden) await look();
  pauseMs = Math.min(pauseMs * 1.1, LONGEST_MS);
  setTimeout(follow, pauseMs);
}

async function look() {
  try {
    const answer = await fetch(location.href);
    if (!answer.ok || answer.redirected) return location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [shown, next] = [document, page].map((each) => each.querySelector("[data-refresh]"));
    if (next === null) return location.reload();
    shown.replaceWith(next);
  } catch {
    // The server is away for a moment.
  }
}
