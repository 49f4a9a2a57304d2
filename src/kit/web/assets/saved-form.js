/**
 * Saves typed text. An edited form is stored in the tab while it is sent. If the session has ended, the form is filled
 * again once the same person has signed in. Without a connection the form stays and says so. The browser asks before an
 * edited form is left. If another form is sent that leads back to the page, the edited one is filled again there.
 */

const FORMS = "main form[method=post]:not([data-select], .sign-in form)";
const TYPED = "input:not([type=hidden], [type=password], [type=file]), select, textarea";
const STORED = "liaison-typed";
let sent = null;

addEventListener("beforeunload", (event) => {
  if (sent === null && [...document.querySelectorAll(FORMS)].some(isEdited)) event.preventDefault();
});

// Forms of swap.js do not leave their page.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.matches("[data-swap]")) return;
  if (!form.matches(FORMS) || !isEdited(form)) return keepOthers(form);
  store(form);
  if (navigator.onLine) return void (sent = form);
  // The browser's page for a lost connection would replace the form.
  event.preventDefault();
  sayOffline(form);
});

document.addEventListener("input", () => (sent = null));

/** Stores the form that was edited beside a sent one which leads back to this page. */
function keepOthers({ elements }) {
  const edited = [...document.querySelectorAll(FORMS)].find(isEdited);
  if (!edited || elements.namedItem("to")?.value !== location.pathname + location.search) return;
  store(edited, { isBeside: true });
  sent = edited;
}

/** Opens the sign-in page, which returns to the form. */
export function signInFor(form) {
  store(form);
  sent = form;
  location.assign("/sign-in");
}

/** Shows in a form, or at the top of the page, that the request did not arrive. */
export function sayOffline(origin) {
  say(origin, document.body.dataset.offline);
}

/** Whether a form differs from its initial values. */
export function isEdited(form) {
  return [...form.querySelectorAll(TYPED)].some((field) => {
    if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked;
    if (!field.matches("select")) return field.value !== field.defaultValue;
    const byDefault = [...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0];
    return field.value !== byDefault?.value;
  });
}

function say(origin, text) {
  const form = origin?.matches("form[method=post]") ? origin : null;
  const line = form?.querySelector("[data-said]") ?? document.createElement(form ? "p" : "div");
  line.dataset.said = "";
  line.className = form ? "error" : "notice wrong";
  line.role = "alert";
  line.textContent = text;
  if (form) form.append(line);
  else document.getElementById("notice").replaceChildren(line);
}

function store(form, more) {
  const known = read();
  const action = form.getAttribute("action");
  // A rejected form has another URL than the page of the form.
  const page = form.dataset.page ?? (known?.action === action ? known.page : location.pathname + location.search);
  const fields = [...form.elements].filter((field) => field.name && field.matches(`${TYPED}, input[type=hidden]`));
  const typed = fields.map((field) => [field.name, field.value, field.checked ?? false]);
  sessionStorage.setItem(STORED, JSON.stringify({ page, action, who: who(), typed, ...more }));
}

function read() {
  return JSON.parse(sessionStorage.getItem(STORED) ?? "null");
}

/** The person and workspace of the page. */
function who() {
  return document.querySelector(".sidebar")?.dataset.who ?? "";
}

/** Restores a saved form, but only for the same person. */
function restore() {
  const stored = read();
  if (stored === null) return;
  const signIn = document.querySelector(".sign-in form");
  if (signIn !== null) {
    sessionStorage.setItem(STORED, JSON.stringify({ ...stored, hasEnded: true }));
    return goBackTo(signIn, stored.page);
  }
  const form = [...document.forms].find((each) => each.getAttribute("action") === stored.action);
  const isThere = stored.page === location.pathname + location.search;
  // Back from the browser's own error page: the server was unavailable.
  const isBack = performance.getEntriesByType("navigation")[0]?.type !== "navigate";
  if (form && isThere && stored.who === who() && (stored.hasEnded || stored.isBeside || isBack)) {
    fill(form, stored.typed);
    say(form, document.body.dataset.restored);
    form.closest("details")?.setAttribute("open", "");
  }
  // A rejected form still belongs to the page of the first attempt.
  const isRefused = form && !stored.hasEnded && !isThere;
  if (!isRefused) sessionStorage.removeItem(STORED);
}

function goBackTo(signIn, page) {
  const to = signIn.elements.namedItem("to") ?? document.createElement("input");
  Object.assign(to, { type: "hidden", name: "to", value: page });
  signIn.append(to);
}

/** Fields that the form does not have yet stay in `form.missing`, for a script that adds them (lines.js). */
function fill(form, typed) {
  form.missing = [];
  for (const [name, value, checked] of typed) {
    const fields = [...form.elements].filter((field) => field.name === name);
    const field =
      fields.find((each) => each.matches("[type=checkbox], [type=radio]") && each.value === value) ?? fields[0];
    if (!field) {
      form.missing.push([name, value]);
      continue;
    }
    if (field.matches("[type=checkbox], [type=radio]")) field.checked = checked;
    else field.value = value;
    field.closest("details")?.setAttribute("open", "");
  }
}

restore();
