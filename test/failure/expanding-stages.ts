import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { routes } from "../../src/doors/routes.ts";
import { kindNames } from "../../src/exchange/imports/kinds.ts";
import type { Member } from "../doors/pages/visitor.ts";
import { zip } from "../exchange/imports/workbooks.ts";
import { settled } from "../exchange/pages/settled-import.ts";
import { marksOf } from "./endless-texts.ts";

type Options = { method?: string; body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> };

/** A server with a workspace that has much to show. */
export type Fed = {
  member: Member;
  /** A request with a key of the workspace. */
  api: (path: string, options?: Options) => Promise<Response>;
  /** The status of the answer to parameters of a method of MCP. */
  mcp: (method: string, params: object) => Promise<number>;
  /** The ids of a resource of each kind. */
  ids: { company: string; contact: string; address: string; invoice: string; payment: string; field: string };
};

/** A stage that makes much of little, with its most expanding input. */
export type Stage = {
  what: string;
  /** Its files, from `src/` on. */
  files: readonly string[];
  feed: (fed: Fed) => Promise<unknown>;
};

const HEAD = '<row><c t="inlineStr"><is><t>name</t></is></c><c t="inlineStr"><is><t>notes</t></is></c></row>';
const LONGEST = 32_767;

/** A workbook of one sheet. @param more further entries of its directory, which are empty */
function book(sheet: string, shared = "", more: readonly string[] = []): Buffer {
  return zip({
    "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${HEAD}${sheet}</sheetData></worksheet>`,
    "xl/sharedStrings.xml": `<sst>${shared}</sst>`,
    ...Object.fromEntries(more.map((name) => [name, ""])),
  });
}

const textOf = (unit: string) => `<si><t>${unit.repeat(LONGEST).slice(0, LONGEST)}</t></si>`;
/** Rows of references of some bytes to the first shared text. */
const references = `<row>${'<c t="s"><v>0</v></c>'.repeat(30)}</row>`.repeat(4);
const many = <T>(count: number, one: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => one(at));
const lines = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join(",")).join("\n");

/** Uploads a file, and waits until it is checked. Returns the page of the import; null if the file is refused. */
async function upload({ member }: Fed, name: string, content: Buffer, kind?: string): Promise<string | null> {
  const form: Record<string, string> = kind === undefined ? {} : { kind };
  const { location } = await member.upload("/imports", form, { [name]: new Uint8Array(content) });
  if (location !== null) await settled(member, location);
  return location;
}

const WORKBOOK = ["zip", "workbook", "relations", "sheet-rows", "xml"].map(
  (name) => `src/exchange/imports/reading/workbook/${name}.ts`,
);
const CSV = [
  "src/exchange/imports/store-upload.ts",
  "src/exchange/imports/import-file-queries.ts",
  "src/exchange/imports/checking/rehearse.ts",
  ...["csv-reader", "csv-lines", "read-rows", "transcode"].map((name) => `src/exchange/imports/reading/${name}.ts`),
];

function workbook(what: string, make: () => Buffer, isRefused = false): Stage {
  return {
    what: `a workbook of ${what}`,
    files: WORKBOOK,
    feed: async (fed) => assert.equal((await upload(fed, "a.xlsx", make(), "companies")) === null, isRefused),
  };
}

/** Without a kind, the file is read as each of them. */
function file(what: string, make: () => string | Buffer, isRefused = false): Stage {
  return {
    what: `a file of ${what}`,
    files: CSV,
    feed: async (fed) => assert.equal((await upload(fed, "a.csv", Buffer.from(make()))) === null, isRefused),
  };
}

const workbooks: Stage[] = [
  ...['"', '" ', '",', "\n", "\r\n", "a", "ț"].map((unit) =>
    workbook(`cells that share a text of ${JSON.stringify(unit)}`, () => book(references, textOf(unit))),
  ),
  workbook("shared texts of control characters", () => book("", textOf("\u0001").repeat(500))),
  workbook("shared texts of wide letters", () => book("", textOf("漢").repeat(500))),
  workbook("empty shared texts", () => book("", "<si/>".repeat(200_000))),
  workbook("entities", () => book('<row><c t="str"><v>&#x22;&#x22;</v></c></row>'.repeat(10_000))),
  workbook("cells far to the right", () => book('<row><c r="SF1"><v>1</v></c></row>'.repeat(2_000))),
  workbook("blank rows", () => book('<row r="1000000"><c><v>1</v></c></row>')),
  workbook("large numbers", () => book("<row><c><v>1e308</v></c></row>".repeat(10_000))),
  workbook("comments", () => book(`<!--${"x".repeat(1_000_000)}-->`.repeat(5))),
  workbook("plain text in sections", () => book(`<![CDATA[${"x".repeat(1_000_000)}]]>`.repeat(5))),
  workbook("long tags", () => book(`<a ${"x".repeat(65_000)}/>`.repeat(50))),
  workbook(
    "long names in its directory",
    () =>
      book(
        "",
        "",
        many(60, (at) => `${at}${"A\\".repeat(32_000)}`),
      ),
    true,
  ),
  workbook("many names in its directory", () =>
    book(
      "",
      "",
      many(15_000, (at) => `${at}${"A\\".repeat(100)}`),
    ),
  ),
];

const csvFiles: Stage[] = [
  file("a row of quotation marks", () => `name\n${'"'.repeat(1_000_000)}\n`),
  file("a row of commas", () => `name\n"${",".repeat(1_000_000)}"\n`),
  file("blanks in its first rows", () => `name,notes\n${lines(many(20, () => many(2, () => " ".repeat(500_000))))}`),
  file("combining marks in its first rows", () =>
    lines([many(500, (at) => `c${at}`), ...many(59, () => many(500, () => marksOf(99)))]),
  ),
  file("names of columns with combining marks", () => lines(many(30, () => many(500, (at) => `${at}${marksOf(90)}`)))),
  file("days in its first rows", () => lines(many(60, () => many(500, () => "25/11/2026")))),
  file("UTF-16", () => Buffer.from(`\ufeffname\n${"ab\n".repeat(20_000)}`, "utf16le")),
  file("letters of an old encoding", () => Buffer.from(`name\n${"\u00e9".repeat(900_000)}\n`, "latin1")),
  ...[
    // The workspace has 20,000 invoices of few endings.
    {
      what: "payments whose texts have many numbers",
      rows: many(
        250,
        (row) => `1,,${many(40, (at) => String((row * 41 + at * 397) % 10_000).padStart(4, "0")).join(" ")}`,
      ),
    },
    { what: "payments that are all equal", rows: many(20_000, () => "1,Y1,") },
  ].map(({ what, rows }) => ({
    what,
    files: ["named-by-text", "write-payment-rows"].map((name) => `src/exchange/imports/writing/${name}.ts`),
    async feed(fed: Fed) {
      const content = ["amount,invoice_number,text", ...rows].join("\n");
      assert.notEqual(await upload(fed, "a.csv", Buffer.from(content), "payments"), null);
    },
  })),
  {
    what: "a file that is read as other kinds, and in other formats",
    files: ["src/exchange/imports/store-upload.ts", "src/exchange/imports/pages/reading-page.ts"],
    async feed(fed) {
      const content = lines(many(60, () => many(500, (at) => `${at}${marksOf(90)}`)));
      const path = await upload(fed, "a.csv", Buffer.from(content));
      for (const kind of kindNames) await fed.member.post(`${path}/kind`, { kind });
      await fed.member.post(`${path}/reading`, { encoding: "utf-8", delimiter: ";", header_line: "2" });
    },
  },
];

const bodies: Stage[] = [
  ['"', '"'],
  [" ", " "],
  ["{},", "{}"],
  ['"\\u0000",', '""'],
].map(([unit = "", last]) => ({
  what: `a packed body of ${unit}`,
  files: ["src/platform/http/packed-body.ts", "src/platform/http/json-body.ts"],
  async feed({ api }) {
    const text = unit.repeat(8_000_000 / unit.length);
    const answer = await api("/companies/batch", {
      method: "POST",
      body: new Uint8Array(gzipSync(`{"items":[${text}${last}]}`)),
      headers: { "content-encoding": "gzip" },
    });
    assert.equal(answer.status, 422, await answer.text());
  },
}));

/** The most members that a body of one company can have. */
const members: Stage = {
  what: "a body of very many members",
  files: ["src/platform/http/json-body.ts", "src/platform/fields/grouped-fields.ts"],
  async feed({ api }) {
    const body = `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join(",")}}`;
    const answer = await api("/companies", { method: "POST", body });
    assert.equal(answer.status, 422, await answer.text());
  },
};

/** Every route with `include`, with all its words and the most rows. */
const embedding: Stage[] = [
  ...routes.flatMap(({ method, path, reference: { includes = [] } }) =>
    method === "GET" && includes.length > 0
      ? [{ path: path.slice("/api/v1".length), words: includes.map(({ word }) => word) }]
      : [],
  ),
  { path: "/changes", words: ["resource", "external"] },
].map(({ path, words }) => ({
  what: `${path} with include=${words.join(",")}`,
  files: [
    "src/customers/companies/embedded.ts",
    "src/customers/companies/company-endpoints.ts",
    "src/exchange/feed/list-changes.ts",
    "src/orders/invoices/invoice-endpoints.ts",
    "src/platform/fields/long-texts.ts",
    "src/platform/http/lists/pagination.ts",
    "src/platform/http/compression.ts",
  ],
  async feed({ api, ids }) {
    const id = /\/(?:companies\/\{id\}|companies\/\{company\}.*)/.test(path)
      ? ids.company
      : path.startsWith("/contacts")
        ? ids.contact
        : path.startsWith("/addresses")
          ? ids.address
          : path.startsWith("/payments")
            ? ids.payment
            : ids.invoice;
    const answer = await api(
      `${path.replace(/\{\w+\}/, id)}?include=${words.join(",")}&${path === "/changes" ? "limit=1000" : "per_page=200"}`,
    );
    assert.equal(answer.status, 200, await answer.text());
  },
}));

const others: Stage[] = [
  {
    what: "a form of spaces",
    files: ["src/kit/web/forms/form.ts"],
    // A member's space is one "+", in a body of at most a megabyte.
    feed: async ({ member }) =>
      assert.equal((await member.post("/profile", { name: "a ".repeat(500_000) })).status, 422),
  },
  {
    what: "the file of a person",
    files: ["src/exchange/personal-data/export-contact.ts", "src/exchange/personal-data/export-contact-queries.ts"],
    feed: async ({ member, ids }) => assert.equal((await member.get(`/contacts/${ids.contact}/export`)).status, 200),
  },
  {
    what: "an import of long texts that is written, undone and sent back with its skipped rows",
    files: [
      "src/exchange/imports/writing/batches.ts",
      "src/exchange/imports/checking/rejected-csv.ts",
      "src/kit/web/forms/receive.ts",
    ],
    async feed(fed) {
      const rows = [`A,${"x".repeat(70_000)}`, ...many(300, (at) => `Undone ${at},"${'""'.repeat(8_000)}"`)];
      const path = await upload(fed, "a.csv", Buffer.from(`name,notes\n${rows.join("\n")}`), "companies");
      assert.ok(path !== null);
      assert.equal((await fed.member.get(`${path}/rejected.csv`)).status, 200);
      for (const step of ["start", "undo"]) {
        await fed.member.post(`${path}/${step}`);
        await settled(fed.member, path);
      }
    },
  },
];

/** Open objects of messages, which the library copies and checks, with the most members that it is given. */
const messages: Stage[] = [950, 9_950].map((count) => ({
  what: `messages of ${count} members`,
  files: ["src/doors/agents-scope.ts"],
  async feed({ mcp }) {
    const members = Object.fromEntries(many(count, (at) => [`m${at}`, 1]));
    const status = count < 1_000 ? 200 : 413;
    assert.equal(await mcp("tools/list", { _meta: members }), status);
    assert.equal(await mcp("tools/call", { name: "whoami", arguments: members }), status);
    const client = { protocolVersion: "2025-11-25", clientInfo: { name: "a", version: "1" } };
    assert.equal(await mcp("initialize", { ...client, capabilities: { experimental: members } }), status);
  },
}));

export const stages: readonly Stage[] = [
  ...workbooks,
  ...csvFiles,
  ...bodies,
  ...messages,
  members,
  ...embedding,
  ...others,
];

/** Files that look like such a stage, and the reason why they have no row. */
export const elsewhere: Readonly<Record<string, string>> = {
  "src/doors/agents/batches.ts": "unpacks its own previews, which the body that made them bounds",
  "src/desk/order-list/mark-paid.ts": "hands ids that are read already to the job of change-rows.ts",
  "src/exchange/exports/command-export.ts": "a command, in a process of its own",
  "src/operation/encryption/encrypted-value-queries.ts": "a command, in a process of its own",
  "src/platform/postgres/copy-lines.ts": "a backup, in a process of its own",
  "src/platform/postgres/snapshot.ts": "a backup, in a process of its own",
  "src/platform/postgres/tenant-rows.ts": "a backup, in a process of its own",
  "src/orders/wms/confirming/reconfirm.ts": "a command, in a process of its own",
};
