/**
 * `data-changed` on a button of a form is its text once the form differs from the response: the server then checks the
 * file again instead of importing it, whatever the button says.
 */

const button = document.querySelector("button[data-changed]");
const usual = button?.textContent;

document.addEventListener("input", show);
addEventListener("pageshow", show);

function show() {
  if (button?.form) button.textContent = isChanged(button.form) ? button.dataset.changed : usual;
}

function isChanged(form) {
  return [...form.elements].some(({ options, type, value, defaultValue }) =>
    options
      ? [...options].some((one) => one.selected !== one.defaultSelected)
      : type === "text" && value !== defaultValue,
  );
}
