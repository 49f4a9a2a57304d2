/** Proposes the short name of a new tenant while its name is typed, until somebody edits the short name itself. */

const { name, slug } = document.querySelector("form[data-slug]").elements;
let proposed = slug.value === "";
slug.addEventListener("input", () => (proposed = slug.value === ""));
name.addEventListener("input", () => {
  if (proposed) slug.value = proposalFor(name.value);
});

/** As proposedSlug of the server, which has the last word. */
function proposalFor(text) {
  const plain = text.slice(0, 255).normalize("NFD").toLowerCase().replaceAll(/\p{M}/gu, "");
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== "");
  if (words.length > 1 && /^(?:srl|sa|pfa|ltd|gmbh|inc|llc)$/.test(words.at(-1))) words.pop();
  return words.join("-").slice(0, 63).replace(/-$/, "");
}
