import "./pointing.js";
import "./try-it.js";

/** The reference: the chosen tabs are the same on all its pages, and `/` focuses the search. */

const { base } = document.body.dataset;

for (const input of document.querySelectorAll("input[data-tabs='Language']")) {
  input.checked ||= input.value === localStorage.getItem("reference language");
}

document.addEventListener("change", ({ target }) => {
  if (target.dataset.tabs !== "Language") return;
  localStorage.setItem("reference language", target.value);
  for (const other of document.querySelectorAll("input[data-tabs='Language']")) {
    other.checked = other.value === target.value || (other.checked && other.name !== target.name);
  }
});

document.addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (key !== "/" || ctrlKey || metaKey || altKey || target.matches?.("input:not([type=radio]), textarea, select"))
    return;
  event.preventDefault();
  document.querySelector("input[type=search]").focus();
});

const { content: copyButton } = document.querySelector("#copy");
for (const sample of document.querySelectorAll(".sample")) sample.append(copyButton.cloneNode(true));

// The contents show the present page, without scrolling the page itself.
const contents = document.querySelector("#pages");
const here = contents.querySelector("[aria-current]");
if (here !== null) contents.scrollTop = here.offsetTop - contents.clientHeight / 2;

/** The places of the reference, loaded when the search gets the focus: title, page and address of each. */
let places = null;

/** The index has one list for each page: its title, its address, and the title and the anchor of each place in it. */
function placesIn([page, path, ...inside]) {
  const anchors = inside.filter((_, index) => index % 2 === 1);
  const within = anchors.map((anchor, index) => [inside[2 * index], page, `${path}#${anchor}`]);
  return [[page, page, path], ...within];
}
const MOST_SHOWN = 8;
const search = document.querySelector(".top [role=search]");
const field = search.querySelector("input");
const found = document.createElement("ul");
found.className = "suggestions";
search.append(found);

field.addEventListener("focus", () => {
  places ??= fetch(`${base}/docs/search.json`).then(async (answer) => (await answer.json()).flatMap(placesIn));
});

field.addEventListener("input", () => void suggest());

async function suggest() {
  const typed = field.value;
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const all = (await places) ?? [];
  if (field.value !== typed) return;
  const matches = words.length === 0 ? [] : all.filter((place) => isMatch(place, words));
  const order = ([title]) =>
    title.toLowerCase() === words.join(" ") ? 0 : title.toLowerCase().startsWith(words[0]) ? 1 : 2;
  const best = matches.toSorted((one, other) => order(one) - order(other)).slice(0, MOST_SHOWN);
  const everywhere = suggestion(["Search all texts", "", `/docs/search?${new URLSearchParams({ q: typed })}`]);
  everywhere.className = "everywhere";
  found.replaceChildren(...(words.length === 0 ? [] : [...best.map(suggestion), everywhere]));
}

function isMatch([title, page], words) {
  const text = `${title} ${page}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function suggestion([title, page, path]) {
  const [item, link, where] = ["li", "a", "i"].map((name) => document.createElement(name));
  link.href = base + path;
  link.textContent = title;
  where.textContent = title === page ? "" : page;
  link.append(" ", where);
  item.append(link);
  return item;
}

search.addEventListener("keydown", (event) => {
  const { key } = event;
  if (key === "Escape") {
    found.replaceChildren();
    return field.focus();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined) return;
  const stops = [field, ...found.querySelectorAll("a")];
  event.preventDefault();
  stops.at((stops.indexOf(document.activeElement) + step) % stops.length).focus();
});

// A click elsewhere closes the suggestions, and so does the one that was followed on the same page.
document.addEventListener("click", ({ target }) => {
  if (!search.contains(target) || target.closest(".suggestions")) found.replaceChildren();
});
