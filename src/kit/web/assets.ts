import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createAssets } from "../../platform/http/assets.ts";
import { scriptsAsOne, stylesAsOne } from "./bundle.ts";

const FOLDER = path.join(import.meta.dirname, "assets");
const PACKAGE = path.dirname(fileURLToPath(import.meta.resolve("lucide-static/package.json")));

/** The stylesheets of every page. Each page gets one file; the layers have an order of their own (tokens.css). */
const STYLESHEETS = ["tokens.css", "base.css", "controls.css", "layout.css", "tables.css", "phone.css", "print.css"];

/** Those of the page of a record. */
const OF_RECORDS = ["sections.css", "record.css", "record-phone.css", "record-print.css"];
/** Those of pages with forms and records. */
const OF_FORMS = ["forms.css", ...OF_RECORDS];
const NOT_IN_FORMS = new Set(["print.css", "record.css", "record-print.css"]);

/** Those of the reference: every page would be heavier with its rules. */
const REFERENCE_STYLESHEETS = ["tokens.css", "base.css", "reference.css"];

/** The icons in use: our name, and the file of the lucide-static package. */
export const icons = {
  today: "calendar-check",
  companies: "building-2",
  orders: "package",
  money: "wallet",
  sales: "chart-column",
  contacts: "contact-round",
  imports: "upload",
  history: "history",
  agents: "bot",
  keys: "key-round",
  webhooks: "webhook",
  users: "users",
  warehouses: "plug",
  workspace: "settings",
  person: "circle-user-round",
  search: "search",
  add: "plus",
  more: "ellipsis",
  back: "chevron-left",
  phone: "phone",
  email: "mail",
  note: "sticky-note",
  copy: "copy",
  edit: "pencil",
  leave: "log-out",
  close: "x",
} as const;

/** The pages' files: GET /assets/{version}/{name}. */
export const assets = createAssets("/assets", readAssets());

function readAssets(): ReadonlyMap<string, Buffer> {
  const read = (name: string): string => fs.readFileSync(path.join(FOLDER, name), "utf8");
  const files = {
    "style.css": stylesAsOne([...STYLESHEETS, ...OF_FORMS].map(read)),
    "record.css": stylesAsOne([...STYLESHEETS, ...OF_RECORDS].map(read)),
    // For the form of an invoice, which nobody prints, and which shows no record beside it.
    "form.css": stylesAsOne([...STYLESHEETS, ...OF_FORMS].filter((name) => !NOT_IN_FORMS.has(name)).map(read)),
    // For long lists, which have many bytes of their own, and need no rules of records.
    "list.css": stylesAsOne([...STYLESHEETS, "lists.css"].map(read)),
    // For Today, which has sections of rows of its own.
    "today.css": stylesAsOne([...STYLESHEETS, "sections.css", "today.css"].map(read)),
    // For the pages of imports, which have rules of their own.
    "imports.css": stylesAsOne([...STYLESHEETS, ...OF_FORMS, "imports.css"].map(read)),
    // For pages with a list of search results, and for the dialogs once one is opened.
    "dialogs.css": stylesAsOne(["dialogs.css"].map(read)),
    "app.js": scriptsAsOne("app.js", read),
    // Loaded when a page about a process may have changed.
    "progress.js": scriptsAsOne("progress.js", read),
    // Loaded when it is needed: every page would be heavier.
    "finder.js": scriptsAsOne("finder.js", read),
    "lines.js": scriptsAsOne("lines.js", read),
    // For lists with rows to select only.
    "select.js": scriptsAsOne("select.js", read),
    // For the form of an import only.
    "drop.js": scriptsAsOne("drop.js", read),
    // For a checked import only.
    "decide.js": scriptsAsOne("decide.js", read),
    // For the pages of passkeys only.
    "passkey.js": scriptsAsOne("passkey.js", read),
    // For the form of a new tenant only.
    "slug.js": scriptsAsOne("slug.js", read),
    "reference.css": stylesAsOne(REFERENCE_STYLESHEETS.map(read)),
    "reference.js": scriptsAsOne("reference.js", read),
    "icons.svg": sprite(),
    "favicon.svg": read("favicon.svg"),
  };
  return new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
}

/** The icons in use and the logo, as symbols of one file. */
function sprite(): string {
  const symbols = Object.entries(icons).map(([name, file]) => {
    const shapes = shapesOf(path.join(PACKAGE, "icons", `${file}.svg`));
    return `<symbol id="${name}" viewBox="0 0 24 24">${shapes}</symbol>`;
  });
  const mark = shapesOf(path.join(FOLDER, "favicon.svg"));
  symbols.push(`<symbol id="mark" viewBox="0 0 32 32">${mark}</symbol>`);
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
}

function shapesOf(file: string): string {
  const icon = fs.readFileSync(file, "utf8");
  const start = icon.indexOf(">", icon.indexOf("<svg")) + 1;
  return icon.slice(start, icon.lastIndexOf("</svg>")).replaceAll(/\s*\n\s*/g, "");
}
