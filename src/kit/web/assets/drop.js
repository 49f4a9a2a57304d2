/**
 * The zone for a file. A file that is dropped anywhere on the page is chosen, and its name is shown. A file of another
 * type is refused with the zone's message.
 */

const zone = document.querySelector("[data-drop]");
const input = zone.querySelector("input[type=file]");
const shown = zone.querySelector("output");
zone.classList.add("ready");
showChosen();

input.addEventListener("change", showChosen);

for (const type of ["dragenter", "dragover"]) {
  document.addEventListener(type, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    zone.classList.add("over");
  });
}

document.addEventListener("dragleave", ({ relatedTarget }) => {
  if (relatedTarget === null) zone.classList.remove("over");
});

document.addEventListener("drop", (event) => {
  const [file] = event.dataTransfer?.files ?? [];
  if (file === undefined) return;
  event.preventDefault();
  zone.classList.remove("over");
  const chosen = new DataTransfer();
  chosen.items.add(file);
  input.files = chosen.files;
  showChosen();
});

function showChosen() {
  const [file] = input.files;
  const name = file?.name ?? "";
  const isWrong = file !== undefined && !input.accept.split(",").some((end) => name.toLowerCase().endsWith(end));
  if (isWrong) input.value = "";
  shown.textContent = isWrong ? zone.dataset.drop.replace("{name}", name) : name;
  shown.classList.toggle("error", isWrong);
  zone.classList.toggle("chosen", file !== undefined && !isWrong);
  if (file === undefined || isWrong) return;
  document.getElementById("file-error")?.remove();
  input.removeAttribute("aria-invalid");
  input.form.querySelector("button.main").focus();
}
