/**
 * "Try it": sends a request of the reference to this server, and shows the answer below the form. The key is kept for
 * this tab alone (sessionStorage), is sent in a header only, and replaces `$TOKEN` in the samples.
 */

const KEY = "reference key";
const { base } = document.body.dataset;
const samples = [...document.querySelectorAll("pre code")]
  .map((code) => ({ code, text: code.textContent }))
  .filter(({ text }) => /\$TOKEN|TOKEN=demo/.test(text));

showKey(sessionStorage.getItem(KEY) ?? "");

document.addEventListener("input", ({ target }) => {
  if (!("key" in target.dataset)) return;
  sessionStorage.setItem(KEY, target.value.trim());
  showKey(target.value.trim(), target);
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest(".try form");
  if (form === null) return;
  event.preventDefault();
  void send(form);
});

/** @param except the field that somebody types in */
function showKey(key, except) {
  for (const field of document.querySelectorAll("[data-key]")) if (field !== except) field.value = key;
  for (const { code, text } of samples) {
    code.textContent = key === "" ? text : text.replace("$TOKEN", key).replace(/TOKEN=demo\S*/, `TOKEN=${key}`);
  }
}

async function send(form) {
  const { method, path } = form.dataset;
  const body = form.querySelector("[data-in=body]")?.value;
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const answer = await fetch(`${base}${filled(path, form)}`, {
      method,
      headers: { authorization: `Bearer ${form.querySelector("[data-key]").value.trim()}` },
      credentials: "omit",
      cache: "no-store",
      ...(body === undefined ? {} : { body }),
    });
    const code = answer.headers.get("x-error-code");
    const text = readable(await answer.text());
    show(form, [`${answer.status} `, ...(code === null ? [] : [pageOf(code)])], text);
  } catch (error) {
    show(form, ["No answer"], String(error.message));
  }
  button.disabled = false;
}

/** The path with its ids, and the query's parameters that have a value. */
function filled(path, form) {
  const valuesOf = (place) =>
    [...form.querySelectorAll(`[data-in=${place}]`)].map(({ dataset, value }) => [dataset.parameter, value.trim()]);
  const ids = new Map(valuesOf("path"));
  const query = new URLSearchParams(valuesOf("query").filter(([, value]) => value !== ""));
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids.get(name)));
  return query.size === 0 ? filledPath : `${filledPath}?${query}`;
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A link to the page of an error. */
function pageOf(code) {
  const link = document.createElement("a");
  link.href = `${base}/docs/errors/${code}`;
  link.textContent = code;
  return link;
}

/** @param title texts and links */
function show(form, title, text) {
  let output = form.querySelector("output");
  if (output === null) {
    output = document.createElement("output");
    form.append(output);
  }
  const [status, body] = ["b", "pre"].map((name) => document.createElement(name));
  status.append(...title);
  body.textContent = text;
  body.tabIndex = 0;
  output.replaceChildren(status, body);
}
