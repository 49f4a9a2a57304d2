/** A button that submits a form is busy until the response arrives; it looks busy after a moment (controls.css). */

document.addEventListener("submit", ({ target: form, submitter, defaultPrevented }) => {
  if (defaultPrevented && !form.matches("[data-swap]")) return;
  const button = submitter ?? form.querySelector("button:not([type=button])");
  button?.setAttribute("aria-busy", "true");
});

// Back on the page without a response, the button can be pressed again.
addEventListener("pageshow", () => restAll(document));

/** Resets all busy buttons in a part of the page. */
export function restAll(part) {
  for (const button of part.querySelectorAll("button[aria-busy]")) button.removeAttribute("aria-busy");
}
