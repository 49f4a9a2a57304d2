/** Opens the dialog that finds everything. Its script (finder.js) is loaded the first time. */

const dialog = document.getElementById("finder");
let isLoaded = false;

document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (!(ctrlKey || metaKey) || altKey || shiftKey || key.toLowerCase() !== "k") return;
  event.preventDefault();
  open();
});

document.addEventListener("click", (event) => {
  const { target, ctrlKey, metaKey, shiftKey } = event;
  if (!dialog || ctrlKey || metaKey || shiftKey || !target.closest?.("a[href='/find']")) return;
  event.preventDefault();
  open();
});

function open() {
  // The page /find has no dialog.
  if (!dialog) return document.getElementById("find")?.focus();
  if (dialog.open) return dialog.close();
  if (document.querySelector("dialog[open]")) return;
  const input = dialog.querySelector("input[type=search]");
  input.value = "";
  dialog.showModal();
  if (isLoaded) return input.form.requestSubmit();
  // Without it, Enter opens the page /find.
  import(dialog.dataset.script).then(
    () => (isLoaded = true),
    () => {},
  );
}
