import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { generateKey } from "../../src/people/api-keys/key-format.ts";
import { SEARCHES } from "../tenants/dataset.ts";
import { by, type Attack, type AttackedRows, type AttackRequest } from "./attack.ts";
import { batchAttacks } from "./batch-attacks.ts";
import { fileAttacks } from "./file-attacks.ts";
import { pageAttacks } from "./page-attacks.ts";

// The worst requests that one tenant may send, each by itself. Add a worse one here, with the tenant of its rows, a
// name, the request, and each difference from 16 connections that wait for their answers (attack.ts).

const COMPANIES = "/api/v1/companies";
const STATUSES = ["active", "inactive", "prospect", "churned"];
/** Just below what is taken. */
const BODY_BYTES = 1_048_000;
const UNCLOSED = Buffer.from(`{"name": "${"x".repeat(BODY_BYTES)}`);
const DEEP = Buffer.from("[".repeat(BODY_BYTES));
const MEMBERS = bodyOf(Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`f${index}`, index])));
const EMPTY_OBJECTS = Buffer.from(`{"name":[${"{},".repeat(BODY_BYTES / 3 - 10)}{}]}`);
const PACKED = gzipSync(MEMBERS);
/** A member of gzip that unpacks to a mebibyte, a thousand times. */
const BOMB = Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync(Buffer.alloc(2 ** 20, 0x20))));
const PARAMETERS = Array.from({ length: 3_800 }, (_, index) => index.toString(36)).join("&");
/** As long as a text may be, in characters of four bytes. */
const FAT_TEXT = "𝒳".repeat(65_535);
const FAT_TEXTS = bodyOf({ notes: FAT_TEXT, delivery_notes: FAT_TEXT });
const BAD_EMAIL = bodyOf({ email: "@".repeat(60_000) });
/** As many requests at once as the default rate limit lets through. */
const MINUTE = { burst: 6_000 };
const HANG_UP = { hangUp: 100 };
const PIPELINED = { manner: "pipelines", ...MINUTE } as const;
const UNPACED = { burst: Infinity };

export const attacks: readonly Attack[] = [
  // Searches among the thousands of contacts and addresses of one company.
  by("crowded", "contacts search 15,000", searchContacts("a".repeat(15_000))),
  by("crowded", "contacts search 15,000, hang up", searchContacts("a".repeat(15_000)), HANG_UP),
  by("crowded", "contacts search 255", searchContacts("ă".repeat(255))),
  by("crowded", "contacts search 1", searchContacts("a")),
  by("crowded", "addresses search 255", ({ company }) => get(`/${company}/addresses?search=${"b".repeat(255)}`)),

  // Searches over all companies.
  by("large", "search every", search(SEARCHES.every)),
  by("large", "search every, hang up", search(SEARCHES.every), HANG_UP),
  by("large", "search every, page 400", () => get(`?search=${SEARCHES.every}&page=400`)),
  by("large", "search every, 200 rows, filters", ({ users }, n) =>
    get(`?search=${SEARCHES.every}&per_page=200&status=${STATUSES[n % 4]}&assigned_to=${users[n % 10]}`),
  ),
  by("large", "search three letters", search("srl")),
  by("large", "search two letters", search(SEARCHES.twoLetters)),
  by("large", "search two letters, hang up", search(SEARCHES.twoLetters), HANG_UP),
  by("large", "search one letter", search("a")),
  by("large", "search another each time", (_rows, n) => get(`?search=${wordOf(n)}`)),
  by("large", "search wildcards", search("%_".repeat(120))),
  by("large", "search no letter", search("...")),
  by("crowded", "search that begins to match at every letter", search(`${"a".repeat(120)}bc`)),
  by("large", "search 15,000", search("firma-".repeat(2_500))),
  by("large", "search characters that fold to many", search("ﷺ".repeat(255))),

  // Lists.
  by("large", "list, 200 rows", () => get("?per_page=200")),
  by("large", "list, 200 rows, compressed", () => compressed(`${COMPANIES}?per_page=200`)),
  by("large", "HEAD of a list, 200 rows", () => ({ ...get("?per_page=200"), method: "HEAD" })),
  by("large", "list, 8,000 rows in", () => get("?per_page=200&page=40")),
  by("large", "list by status, 8,000 rows in", (_rows, n) => get(`?status=${STATUSES[n % 4]}&page=160`)),
  by("large", "list, last page", ({ companies }) => get(`?page=${companies / 50}`)),
  by("large", "list, page 10^15", () => get("?page=1000000000000000")),
  by("large", "list by owner", ({ users }, n) => get(`?assigned_to=${users[n % 10]}`)),
  by("large", "list by owner, last page", ({ users, companies }, n) =>
    get(`?assigned_to=${users[n % 10]}&per_page=200&page=${Math.ceil(companies / 3_000)}`),
  ),
  by("large", "list by owner and status", ({ users }, n) =>
    get(`?assigned_to=${users[n % 10]}&status=${STATUSES[n % 4]}&page=30`),
  ),
  by("crowded", "contacts, far page", ({ company }) => get(`/${company}/contacts?per_page=200&page=20`)),
  by("crowded", "wms-orders, far page", ({ company }) => get(`/${company}/wms-orders?per_page=200&page=20`)),

  // What changed, and waiting for more of it: nothing is of this type, so those who wait are never answered.
  by("large", "changes, 1,000 rows", () => changes("limit=1000")),
  by("large", "changes, scanned without a result", () => changes("limit=1000&types=wms")),
  by("large", "followers, and creates that wake them", (_rows, n) => wakingFollowers(n), { connections: 64 }),
  by("large", "followers over 1,000 connections", (_rows, n) => wakingFollowers(n), { connections: 1_000, ...MINUTE }),
  by("crowded", "history of many changes", ({ company }) => get(`/${company}/history?per_page=200`)),
  by("crowded", "history of many changes, page 900", ({ company }) => get(`/${company}/history?per_page=200&page=900`)),

  // What a company with hundreds of thousands of contacts makes of ordinary requests.
  by("crowded", "look-ups of a huge company", ({ hugeCompany }) => get(`/${hugeCompany}`)),
  by("crowded", "contacts of a huge company", ({ hugeCompany }) => get(`/${hugeCompany}/contacts`)),
  by("crowded", "contacts of a huge company, page 4,000", ({ hugeCompany }) =>
    get(`/${hugeCompany}/contacts?page=4000`),
  ),
  by("crowded", "contacts of a huge company, search", ({ hugeCompany }) => get(`/${hugeCompany}/contacts?search=pope`)),

  // Answers of a hundred megabytes.
  by("fat", "fat list", () => get("?per_page=200")),
  by("fat", "fat list, hang up", () => get("?per_page=200"), HANG_UP),
  by("fat", "fat list, never read", () => get("?per_page=200"), { unread: true }),
  by("fat", "fat list, compressed, never read", () => compressed(`${COMPANIES}?per_page=200`), { unread: true }),
  by("fat", "fat list, compressed", () => compressed(`${COMPANIES}?per_page=200`)),
  by("fat", "fat list, sipped", () => get("?per_page=200"), { manner: "sips" }),
  by("fat", "fat contacts", ({ company }) => get(`/${company}/contacts?per_page=200`)),
  by("fat", "fat history", ({ company }) => get(`/${company}/history?per_page=200`)),
  by("fat", "fat history, never read", ({ company }) => get(`/${company}/history?per_page=200`), { unread: true }),
  by("fat", "fat search", () => get(`?search=${SEARCHES.every}&per_page=200`)),
  by("fat", "fat companies, one by one", ({ firstCompany }, n) => get(`/${firstCompany + (n % 200)}`)),
  by("fat", "fat updates", ({ firstCompany }, n) => put(firstCompany + (n % 200), FAT_TEXTS)),

  // Writes.
  by("large", "updates of locked rows", ({ firstCompany }, n) => put(firstCompany + (n % 16), city(n)), { locks: 16 }),
  by("large", "updates of locked rows, hang up", ({ firstCompany }, n) => put(firstCompany + (n % 16), city(n)), {
    locks: 16,
    ...HANG_UP,
  }),
  by("large", "updates of one row", ({ firstCompany }, n) => put(firstCompany, city(n)), MINUTE),
  by("large", "updates of searched texts", ({ firstCompany }, n) => put(firstCompany + (n % 5_000), searchedTexts())),
  by("large", "updates of 1,000 sets of fields", ({ firstCompany }, n) => put(firstCompany + n, fieldsOf(n % 1_000))),
  by("large", "updates that swap tax ids", ({ firstCompany }, n) =>
    put(firstCompany + (n % 2 === 0 ? n % 100 : 99 - (n % 100)), bodyOf({ tax_id: `SWAP${n % 60}` })),
  ),
  by("large", "creates, 6,000 at once", (_rows, n) => post(bodyOf({ name: `Firma ${n}` })), MINUTE),
  ...batchAttacks,
  by("large", "creates of one tax id", () => post(bodyOf({ name: "Firma", tax_id: "RO10000001" })), MINUTE),
  by("large", "creates that are not valid", () => post(BAD_EMAIL)),
  by("large", "deletions, pipelined", ({ firstCompany }, n) => remove(firstCompany + 100 + (n % 6_000)), PIPELINED),
  by(
    "large",
    "contacts created, pipelined",
    ({ firstCompany }, n) => ({
      ...post(bodyOf({ first_name: "Ana", last_name: `Pop ${n}` })),
      path: `${COMPANIES}/${firstCompany + 7_000 + (n % 1_000)}/contacts`,
    }),
    PIPELINED,
  ),

  // Ordinary requests, a minute's worth at once.
  by("large", "look-ups, 6,000 at once", (rows, n) => get(`/${anyCompany(rows, n)}`), MINUTE),
  by("large", "look-ups, pipelined", (rows, n) => get(`/${anyCompany(rows, n)}`), PIPELINED),
  by("large", "lists, 1,000 connections", () => get("?per_page=200"), { connections: 1_000, ...MINUTE }),
  by("large", "look-ups, 1,000 connections", (rows, n) => get(`/${anyCompany(rows, n)}`), {
    connections: 1_000,
    ...MINUTE,
  }),
  by("large", "lists, pipelined", () => get("?per_page=200"), PIPELINED),
  by("fat", "fat lists, pipelined and never read", () => get("?per_page=200"), {
    ...PIPELINED,
    unread: true,
    burst: 200,
  }),

  // What is refused.
  by(
    "large",
    "unknown tenants",
    ({ token }, n) => ({ ...get(""), token: `nobody-${n}.${token.split(".")[1]}` }),
    UNPACED,
  ),
  by("large", "wrong keys", ({ slug }) => ({ ...get(""), token: `${slug}.${generateKey()}` }), UNPACED),
  by("large", "bodies of 1 MiB that are no JSON", () => post(UNCLOSED)),
  by("large", "refused bodies of 1 MiB", () => ({ ...post(UNCLOSED), token: "nobody.key" }), UNPACED),
  by("large", "bodies of 1 MiB, deep", () => post(DEEP)),
  by("large", "bodies of 1 MiB, many members", () => post(MEMBERS)),
  by("large", "bodies of 1 MiB, empty objects", () => post(EMPTY_OBJECTS)),
  by("large", "bodies that unpack to 1 MiB, many members", () => packed(PACKED)),
  by("large", "bodies that unpack to a gigabyte", () => packed(BOMB)),
  by("large", "one key, written in 6,000 ways", ({ token }, n) => ({ ...get(""), token: blanks(n) + token }), MINUTE),
  by("large", "thousands of parameters", () => get(`?${PARAMETERS}`)),
  by("large", "page of 15,000 digits", () => get(`?page=${"9".repeat(15_000)}`)),
  by("large", "headers of 12 KB", () => ({
    ...get(""),
    headers: { cookie: "x".repeat(12_000), accept: "*/*,".repeat(200) },
  })),

  // What a connection can be made to do, and what needs no key.
  by("large", "2,000 connections without requests", () => get(""), {
    manner: "stays silent",
    connections: 2_000,
    ...MINUTE,
  }),
  by("large", "500 slow bodies", () => post(UNCLOSED), {
    manner: "drips",
    connections: 500,
    ...MINUTE,
  }),
  by("large", "1,000 bodies without their end", () => post(UNCLOSED), {
    manner: "withholds",
    connections: 1_000,
    ...MINUTE,
  }),
  by("large", "bodies of 1 MiB in chunks of a byte", () => post(UNCLOSED), { manner: "crumbles" }),
  by("large", "refused bodies in chunks of a byte", () => ({ ...post(UNCLOSED), token: "nobody.key" }), {
    manner: "crumbles",
  }),
  by("large", "health probes at full speed", () => ({ method: "GET", path: "/health/ready" }), UNPACED),
  by("large", "the style sheet at full speed", () => compressed("/assets/any/style.css"), UNPACED),
  by("large", "the contract at full speed", () => ({ method: "GET", path: "/api/v1/openapi.json" }), UNPACED),
  by("large", "the reference at full speed", () => compressed("/docs/api/companies"), UNPACED),
  by("large", "the sign-in page at full speed", () => compressed("/sign-in"), UNPACED),
  by("large", "guessed passwords", ({ slug }, n) => signIn(slug, `ana${n}@firma.example`), UNPACED),
  by("large", "guessed passwords of one account", ({ slug }) => signIn(slug, "ana@firma.example"), UNPACED),
  ...pageAttacks,
  ...fileAttacks,
  by("large", "the contract, never read", () => ({ method: "GET", path: "/api/v1/openapi.json" }), {
    unread: true,
    connections: 500,
    ...UNPACED,
  }),
];

/** @param rest of the path of companies */
function get(rest: string): AttackRequest {
  return { method: "GET", path: `${COMPANIES}${rest}` };
}

function changes(query: string): AttackRequest {
  return { method: "GET", path: `/api/v1/changes?${query}` };
}

function wakingFollowers(n: number): AttackRequest {
  return n % 20 === 19 ? post(bodyOf({ name: `Firma ${n}` })) : changes("types=wms&wait=1");
}

function post(body: Buffer): AttackRequest {
  return { method: "POST", path: COMPANIES, body };
}

function put(company: number, body: Buffer): AttackRequest {
  return { method: "PUT", path: `${COMPANIES}/${company}`, body };
}

function bodyOf(input: object): Buffer {
  return Buffer.from(JSON.stringify(input));
}

function remove(company: number): AttackRequest {
  return { method: "DELETE", path: `${COMPANIES}/${company}` };
}

function packed(body: Buffer): AttackRequest {
  return { ...post(body), headers: { "content-encoding": "gzip" } };
}

function compressed(path: string): AttackRequest {
  return { method: "GET", path, headers: { "accept-encoding": "br, gzip", accept: "text/html" } };
}

function signIn(workspace: string, email: string): AttackRequest {
  const form = new URLSearchParams({ workspace, email, password: "a guess of many words" });
  const body = Buffer.from(form.toString());
  return { method: "POST", path: "/sign-in", body, headers: { "sec-fetch-site": "same-origin" } };
}

function search(text: string): Attack["request"] {
  const request = get(`?search=${encodeURIComponent(text)}`);
  return () => request;
}

function searchContacts(text: string): Attack["request"] {
  return ({ company }: AttackedRows) => get(`/${company}/contacts?search=${encodeURIComponent(text)}`);
}

function anyCompany({ firstCompany, companies }: AttackedRows, n: number): number {
  return firstCompany + ((n * 7_919) % companies);
}

function city(n: number): Buffer {
  return bodyOf({ city: `City ${n}` });
}

/** Three letters that differ from request to request. */
function wordOf(n: number): string {
  return [n, n * 7, Math.floor(n / 26)].map((letter) => String.fromCharCode(97 + (letter % 26))).join("");
}

/** As long as they may be, and of no letters in an order that was there before. */
function searchedTexts(): Buffer {
  const random = (length: number) => randomBytes(length).toString("base64").slice(0, length);
  return bodyOf({ name: random(255), city: random(100) });
}

/** Sixteen blanks, in as many ways as they can be mixed. */
function blanks(n: number): string {
  return Array.from({ length: 16 }, (_, bit) => ((n >> bit) % 2 === 1 ? " " : "\t")).join("");
}

const FIELDS = [
  "industry",
  "website",
  "address",
  "city",
  "county",
  "postal_code",
  "managing_company",
  "activity_domain",
  "fiscal_address",
  "registration_number",
];

/** The fields whose bits `set` has. */
function fieldsOf(set: number): Buffer {
  return bodyOf(
    Object.fromEntries(FIELDS.filter((_, bit) => (set >> bit) % 2 === 1).map((name) => [name, `set ${set}`])),
  );
}
