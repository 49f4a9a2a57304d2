/**
 * A page about something that goes on follows it: `data-refresh` marks the part that changes meanwhile. When the page has no such
 * part any more, that something is over, and the page is loaded as it is then.
 */

const EVERY_MS = 1000;

if (document.querySelector("[data-refresh]") !== null) setTimeout(follow, EVERY_MS);

async function follow() {
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
  setTimeout(follow, EVERY_MS);
}
