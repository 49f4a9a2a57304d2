import assert from "node:assert/strict";
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
    const { status, text } = await member.get(filled);
    const bytes = gzipSync(text).length;
    assert.deepEqual([status, bytes <= PAGE_BYTES || bytes], [200, true]);
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

/** Pages of a workspace with the most custom fields, and changes of all rows of a list. */
export const stagesOfFields: readonly Stage[] = [...pages, ...changes];
