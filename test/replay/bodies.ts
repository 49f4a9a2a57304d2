import { gzipSync } from "node:zlib";
import { API, wordsOf, type Made } from "./known-data.ts";
import type { Send } from "./recorder.ts";

/** JSON texts, because some of them have no value in JavaScript. */
const VALUES = [
  "null",
  "5",
  "5.5",
  "-1",
  "0",
  "true",
  "false",
  "[]",
  "{}",
  '["a"]',
  '{"a":1}',
  "9007199254740993",
  "12.5",
  "1",
  "2",
  ...["", "   ", "x", "x".repeat(30), "x".repeat(31), "x".repeat(100), "x".repeat(101), "x".repeat(255)].map(quoted),
  ...["x".repeat(256), "ș".repeat(255), "5", "05", "1e3", "2026-02-30", "2026-11-20", "2026-11-20T10:00:00Z"].map(
    quoted,
  ),
  ...["a@b.ro", "a@b", "@b", "a@@b.ro", "ș@exemplu.ro", "active", "ACTIVE", "\0a", "a\0b", "  trim\u200b "].map(quoted),
  ...["12.50", "true"].map(quoted),
  String.raw`"\ud800"`,
];

const FIELDS = {
  companies:
    wordsOf(`name tax_id registration_number industry website phone email address city county country postal_code
    status status_code assigned_to notes managing_company employee_count activity_domain fiscal_address
    delivery_notes callback_date metadata wms_subdomain wms_api_key id tenant_id __proto__`),
  contacts: wordsOf(`first_name last_name email phone mobile position department job_title is_primary is_decision_maker
    preferred_language notes birth_date gender timezone company_id metadata last_contacted_at full_name`),
  addresses: wordsOf(`type label address city county country postal_code contact_name phone delivery_notes is_default`),
  invoices: ["number", "issued_on", "due_on", "total", "currency", "status", "lines"],
};

/** Every field with every value, on creating and on updating. */
export async function sendFields(send: Send, { company, contact, address, invoice }: Made): Promise<void> {
  const of = `${API}/companies/${company}`;
  for (const [noun, create, needed, update] of [
    ["companies", `${API}/companies`, { name: '"V SRL"' }, of],
    ["contacts", `${of}/contacts`, { first_name: '"F"', last_name: '"L"' }, `${API}/contacts/${contact}`],
    ["addresses", `${of}/addresses`, { address: '"S"' }, `${API}/addresses/${address}`],
    ["invoices", `${of}/invoices`, {}, `${API}/invoices/${invoice}`],
  ] as const) {
    for (const field of FIELDS[noun]) {
      for (const [index, value] of VALUES.entries()) {
        const number = noun === "invoices" ? { number: `"V-${field}-${index}"` } : {};
        await send("POST", create, { body: objectOf({ ...needed, ...number, [field]: value }) });
        await send(noun === "addresses" ? "PATCH" : "PUT", update, { body: objectOf({ [field]: value }) });
      }
    }
  }
  const line = { description: "d", quantity: 1, unit_price: 1 };
  for (const lines of [
    [{}],
    [{ description: "d" }],
    [1],
    ["a"],
    [null],
    Array.from({ length: 500 }, () => line),
    Array.from({ length: 501 }, () => line),
    [{ ...line, quantity: "x" }],
    [{ ...line, quantity: 1.5, unit_price: "0.000001" }],
    [{ description: "", quantity: null, unit_price: true, sku: 5 }],
    [{ sku: "x".repeat(101), description: "y".repeat(256), quantity: "1234567890123456", unit_price: "-1" }],
  ]) {
    await send("PUT", `${API}/invoices/${invoice}`, { body: { lines } });
  }
}

/** Bodies that are no objects, in other types and encodings, and too long. */
export async function sendBodies(send: Send, { company, contact }: Made): Promise<void> {
  const texts = [
    "",
    "{",
    "[]",
    "null",
    "5",
    '"x"',
    "name=x",
    '\uFEFF{"name":"Bom"}',
    '{"name":"a","name":"b"}',
    "{'name':'x'}",
    `${'{"a":'.repeat(33)}1${"}".repeat(33)}`,
    '{"name":"x"} trailing',
    '{"name":"NaN","status_code":NaN}',
  ];
  for (const body of [...texts, Buffer.from([0xff, 0xfe])]) {
    await send("PUT", `${API}/companies/${company}`, { body });
    await send("PATCH", `${API}/contacts/${contact}`, { body });
    for (const path of ["/companies", "/companies/batch", "/webhooks"]) await send("POST", API + path, { body });
  }
  const zipped = gzipSync('{"name":"Zip"}');
  for (const [body, headers] of [
    ['{"name":"Form"}', { "content-type": "text/plain" }],
    ["name=Form", { "content-type": "application/x-www-form-urlencoded" }],
    [zipped, { "content-encoding": "gzip" }],
    ["notgzip", { "content-encoding": "gzip" }],
    ["{}", { "content-encoding": "br" }],
    [`{"name":"${"x".repeat(1_100_000)}"}`, {}],
  ] as const) {
    await send("POST", `${API}/companies`, { body, headers });
  }
  await send("GET", `${API}/companies?per_page=1`, { body: { x: 1 } });
  await send("DELETE", `${API}/companies/999999`, { body: "junk" });
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** An object of JSON texts. */
function objectOf(texts: Record<string, string>): string {
  return `{${Object.entries(texts)
    .map(([name, text]) => `${quoted(name)}:${text}`)
    .join(",")}}`;
}
