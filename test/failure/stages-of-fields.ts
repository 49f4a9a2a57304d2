import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { settled } from "../exchange/pages/settled-import.ts";
import type { Fed, Stage } from "./expanding-stages.ts";

/** The most bytes of a page with the most custom fields and the longest options. */
const PAGE_BYTES = 40 * 1024;

const pages: Stage[] = [
  "/companies",
  "/contacts",
  "/orders",
  "/companies?custom%5Bk2%5D=a&custom%5Bk1%5D=b",
  "/contacts?custom%5Bk2%5D=a",
  "/orders?custom%5Bk2%5D=a",
  "/companies/{company}",
  "/companies/{company}/edit",
  "/companies/new",
  "/contacts/{contact}",
  "/contacts/{contact}/edit",
  "/companies/{company}/contacts/new",
  "/invoices/{invoice}",
  "/invoices/{invoice}/edit",
  "/invoices/new?company={company}",
  "/workspace/fields",
  "/workspace/fields/new",
  "/workspace/fields/{field}",
  "/find?q=%F0%9F%98%80",
].map((path) => ({
  what: `${path} with the most custom fields`,
  files: [],
  async feed({ member, ids }) {
    const filled = path.replace(/\{(\w+)\}/, (_, name: keyof Fed["ids"]) => ids[name]);
    await weigh(member, filled);
  },
}));

const changes: Stage[] = ["companies", "contacts", "orders"].map((list) => ({
  what: `a change of all ${list} that is undone`,
  files: [
    "src/exchange/imports/changing/change-rows.ts",
    "src/platform/reads/every-id.ts",
    "src/desk/contact-list/all-contacts-queries.ts",
  ],
  async feed({ member }: Fed) {
    const { text } = await member.get(`/${list}?per_page=50`);
    const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "";
    const id = [...text.matchAll(/name="id" value="(\d+)"/g)].map(([, found = ""]) => found);
    const form = { id, rows: value("rows"), matching: value("matching"), own_field: "custom.k2", own_value: "ț" };
    const { location } = await member.post(`/${list}/bulk`, { ...form, all: "1" });
    assert.match(String(location), /^\/imports\/\d+$/);
    await settled(member, String(location));
    await member.post(`${location}/undo`);
    await settled(member, String(location));
  },
}));

/** Rows of a file, and changes, of which each has a value of every field. */
const rows: Stage[] = [
  {
    what: "the history of records whose fields all have other values",
    files: [],
    async feed({ member, api }) {
      const { data } = (await (await api("/companies?per_page=50")).json()) as { data: { id: number }[] };
      const items = () => data.map(({ id }) => ({ id, custom: valuesOf(id) }));
      // At first, the longest values are replaced: the history shows such changes by links.
      const batches = [items(), items()].flatMap((all) => many(5, (at) => all.slice(10 * at, 10 * at + 10)));
      for (const some of batches) {
        const answer = await api("/companies/batch", { method: "POST", body: JSON.stringify({ items: some }) });
        assert.equal(((await answer.json()) as { updated: number }).updated, some.length);
      }
      await weigh(member, "/history");
      await weigh(member, `/companies/${data[0]?.id}`);
    },
  },
  {
    what: "a file with the most custom fields",
    files: [],
    async feed({ member }) {
      const names = many(25, (n) => `custom.k${2 * n + 2}`);
      const csv = many(300, (at) => [`Row ${at}`, ...Object.values(valuesOf(at))].join(",")).join("\n");
      const file = Buffer.from(`name,${names.join(",")}\n${csv}\n`);
      const { location } = await member.upload("/imports", { kind: "companies" }, { "a.csv": file });
      const path = String(location);
      const chosen = ["name", ...names].map((name, at) => [`column.${at}`, name]);
      await settled(member, path);
      await member.post(`${path}/reading`, Object.fromEntries(chosen));
      await settled(member, path);
      const page = await weigh(member, `${path}?rows=create`);
      const next = /href="([^"]*rows=create&amp;from=\d+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
      await weigh(member, String(next));
    },
  },
];

/** A text of 60 letters, which no compression makes much shorter, for each field of texts. */
function valuesOf(seed: number): Record<string, string> {
  const text = (n: number) => createHash("sha256").update(`${seed}/${n}/${performance.now()}`).digest("base64url");
  return Object.fromEntries(many(25, (n) => [`k${2 * n + 2}`, `${text(n)}${text(-n)}`.slice(0, 60)]));
}

const many = <T>(count: number, one: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => one(at));

async function weigh(member: Fed["member"], path: string): Promise<string> {
  const { status, text } = await member.get(path);
  const bytes = gzipSync(text).length;
  assert.deepEqual([path, status, bytes <= PAGE_BYTES || bytes], [path, 200, true]);
  return text;
}

/** Pages of a workspace with the most custom fields, and changes of all rows of a list. */
export const stagesOfFields: readonly Stage[] = [...pages, ...changes, ...rows];
