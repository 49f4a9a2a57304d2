/** Copies a text. `near`: an element beside which a field may stand for a moment, and which gets the focus back. */
export async function copyText(text, near) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without https, browsers only offer the old API.
    const field = document.createElement("textarea");
    field.value = text;
    near.after(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    near.focus();
  }
}
