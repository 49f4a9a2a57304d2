/** A button that sends a form is busy until the answer is there; it looks so after a moment (controls.css). */

document.addEventListener("submit", ({ target: form, submitter, defaultPrevented }) => {
  if (defaultPrevented && !form.matches("[data-swap]")) return;
  const button = submitter ?? form.querySelector("button:not([type=button])");
  button?.setAttribute("aria-busy", "true");
});

// Back on the page, and without an answer, it can be pressed again.
addEventListener("pageshow", () => restAll(document));

/** Ends that of all buttons in a part of the page. */
export function restAll(part) {
  for (const button of part.querySelectorAll("button[aria-busy]")) button.removeAttribute("aria-busy");
}
