import { html, type Content, type Html } from "../../kit/web/html.ts";
import type { Block, FieldRow } from "./blocks.ts";

/** Of one page: the beginning of every own address, and how many groups of tabs the page has so far. */
export type Rendering = { base: string; groups: number };

/** Blocks as HTML. Texts are escaped by the template tag, and links lead to own paths, anchors or https. */
export function htmlOf(blocks: readonly Block[], page: Rendering): Html {
  return html`${blocks.map((block) => html`${htmlOfBlock(block, page)}\n`)}`;
}

function htmlOfBlock(block: Block, page: Rendering): Html {
  switch (block.kind) {
    case "heading":
      return headingHtml(block, page);
    case "paragraph":
      return html`<p>${inline(block.text, page)}</p>`;
    case "list":
      return listHtml(block, page);
    case "table":
      return tableHtml(block, page);
    case "code":
      return html`<div class="sample"><pre tabindex="0"><code>${block.text}</code></pre></div>`;
    case "fields":
      return html`<dl class="fields" aria-label="${block.label}">${block.rows.map((each) => fieldHtml(each, page))}</dl>`;
    case "tabs":
      return tabsHtml(block, page);
    case "beside":
      return html`<div class="beside"><div>${htmlOf(block.words, page)}</div><div class="aside">${htmlOf(block.code, page)}</div></div>`;
    case "try":
      return tryHtml(block);
    default:
      return callHtml(block);
  }
}

function headingHtml({ level, text, id }: Block & { kind: "heading" }, page: Rendering): Html {
  const link = html`<a href="#${id}">${inline(text, page)}</a>`;
  if (level === 2) return html`<h2 id="${id}">${link}</h2>`;
  return level === 3 ? html`<h3 id="${id}">${link}</h3>` : html`<h4 id="${id}">${link}</h4>`;
}

function listHtml({ isOrdered, items }: Block & { kind: "list" }, page: Rendering): Html {
  const written = items.map((item) => {
    const [first, ...rest] = item;
    // An item of one paragraph needs no paragraph around it.
    if (first?.kind === "paragraph") return html`<li>${inline(first.text, page)}${htmlOf(rest, page)}</li>`;
    return html`<li>${htmlOf(item, page)}</li>`;
  });
  return isOrdered ? html`<ol>${written}</ol>` : html`<ul>${written}</ul>`;
}

function tableHtml({ head, rows }: Block & { kind: "table" }, page: Rendering): Html {
  // An empty head is a cell, because a header without words heads nothing.
  const headCell = (cell: string) => (cell === "" ? html`<td></td>` : html`<th scope="col">${inline(cell, page)}</th>`);
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${head.map(headCell)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell, page)}</td>`)}</tr>`)}</tbody></table></div>`;
}

function fieldHtml({ id, name, type, marks, description }: FieldRow, page: Rendering): Html {
  return html`<div id="${id}"><dt><a href="#${id}"><code>${name}</code></a> <span>${type}</span>${marks.map((mark) =>
    mark === "required" ? html` <b>${mark}</b>` : html` <i>${mark}</i>`,
  )}</dt><dd>${inline(description, page)}</dd></div>`;
}

/** Radio buttons choose the visible panel, so that no script is needed (assets/reference.css). */
function tabsHtml({ name, tabs }: Block & { kind: "tabs" }, page: Rendering): Html {
  const group = `tabs-${page.groups++}`;
  return html`<div class="tabs"><fieldset><legend class="hidden">${name}</legend>${tabs.map(
    ({ title }, index) =>
      html`<label><input type="radio" name="${group}" value="${title}" data-tabs="${name}"${index === 0 && html` checked`}><span>${title}</span></label>`,
  )}</fieldset>${tabs.map(({ blocks }) => html`<div class="panel">${htmlOf(blocks, page)}</div>`)}</div>`;
}

function callHtml({ method, path, capability }: Block & { kind: "call" }): Html {
  return html`<p class="call"><b>${method}</b> <code>${path}</code> <span>${capability === null ? "any valid key" : html`needs <code>${capability}</code>`}</span></p>`;
}

/** The form of "Try it". Its fields have no names, so that no browser puts the key into an address (try-it.js). */
function tryHtml({ method, path, query, body }: Block & { kind: "try" }): Html {
  const field = (name: string, place: string, value: string) =>
    html`<label>${name} <input data-in="${place}" data-parameter="${name}" value="${value}" autocomplete="off"></label>`;
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => field(name, "path", "1"));
  return html`<details class="try"><summary>Try it</summary><form data-method="${method}" data-path="${path}">
<label>API key <input type="password" data-key autocomplete="off" placeholder="tenant.key"></label>
${ids}${query.map((name) => field(name, "query", ""))}
${body !== null && html`<label>Body <textarea data-in="body" rows="6" spellcheck="false">${body}</textarea></label>`}
<button class="main">Send ${method}</button></form></details>`;
}

const INLINE =
  /`([^`]+)`|\*\*(.+?)\*\*|(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])|(?<!\w)_([^_\s](?:[^_]*[^_\s])?)_(?!\w)|\[((?:[^\]`]|`[^`]*`)+)\]\(([^()\s]+)\)/g;

/** Markdown within a line. */
function inline(text: string, page: Rendering): Content {
  const parts: Content[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, starred, underlined, label, href = ""] = match;
    const emphasized = starred ?? underlined;
    parts.push(text.slice(at, match.index));
    at = match.index + whole.length;
    if (code !== undefined) parts.push(html`<code>${breakable(code)}</code>`);
    else if (strong !== undefined) parts.push(html`<strong>${inline(strong, page)}</strong>`);
    else if (emphasized !== undefined) parts.push(html`<em>${inline(emphasized, page)}</em>`);
    else
      parts.push(
        html`<a href="${href.startsWith("/") ? `${page.base}${href}` : href}">${inline(label ?? "", page)}</a>`,
      );
  }
  return [...parts, text.slice(at)];
}

/** Code that may be broken behind each slash of a path. */
function breakable(code: string): Content {
  return code.split(/(?<=[\w}]\/)(?=[\w{])/).map((part, index) => (index === 0 ? part : html`<wbr>${part}`));
}
