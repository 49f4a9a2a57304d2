import { SEARCHES } from "../tenants/dataset.ts";
import type { Attack, AttackedRows, AttackRequest } from "./attack.ts";

// The worst that one tenant may ask, each by itself. Whoever finds a worse one adds it here: a name, whose rows, the
// request; what differs from 16 connections that each wait for their answer (attack.ts).

const COMPANIES = "/api/v1/companies";

export const attacks: readonly Attack[] = [
  // Searches among the thousands of contacts and addresses of one company.
  { name: "contacts search 15,000", of: "crowded", request: searchContacts("a".repeat(15_000)) },
  { name: "contacts search 15,000, hang up", of: "crowded", request: searchContacts("a".repeat(15_000)), hangUp: 100 },
  { name: "contacts search 255", of: "crowded", request: searchContacts("ă".repeat(255)) },
  { name: "contacts search 1", of: "crowded", request: searchContacts("a") },
  {
    name: "addresses search 255",
    of: "crowded",
    request: ({ company }) => get(`${COMPANIES}/${company}/addresses?search=${"b".repeat(255)}`),
  },
  // Searches over all companies.
  { name: "search every", of: "large", request: search(SEARCHES.every) },
  { name: "search every, hang up", of: "large", request: search(SEARCHES.every), hangUp: 100 },
  { name: "search every, page 400", of: "large", request: () => get(`${COMPANIES}?search=${SEARCHES.every}&page=400`) },
  {
    name: "search every, 200 rows, filters",
    of: "large",
    request: ({ users }, n) =>
      get(
        `${COMPANIES}?search=${SEARCHES.every}&per_page=200&status=${STATUSES[n % 4]}&assigned_to=${users[n % users.length]}`,
      ),
  },
  { name: "search three letters", of: "large", request: search("srl") },
  { name: "search two letters", of: "large", request: search(SEARCHES.twoLetters) },
  { name: "search two letters, hang up", of: "large", request: search(SEARCHES.twoLetters), hangUp: 100 },
  { name: "search one letter", of: "large", request: search("a") },
  { name: "search wildcards", of: "large", request: search("%_".repeat(120)) },
  { name: "search 15,000", of: "large", request: search("firma-".repeat(2_500)) },
  { name: "search characters that fold to many", of: "large", request: search("ﷺ".repeat(255)) },
  { name: "search another each time", of: "large", request: (_rows, n) => get(`${COMPANIES}?search=${wordOf(n)}`) },
  // Lists.
  { name: "list, 200 rows", of: "large", request: () => get(`${COMPANIES}?per_page=200`) },
  { name: "list by owner", of: "large", request: ({ users }, n) => get(`${COMPANIES}?assigned_to=${users[n % 10]}`) },
  {
    name: "list by owner, last page",
    of: "large",
    request: ({ users, companies }, n) =>
      get(`${COMPANIES}?assigned_to=${users[n % 10]}&per_page=200&page=${Math.ceil(companies / 3_000)}`),
  },
  { name: "list, last page", of: "large", request: ({ companies }) => get(`${COMPANIES}?page=${companies / 50}`) },
  { name: "list, page 8,192 rows in", of: "large", request: () => get(`${COMPANIES}?per_page=200&page=40`) },
  { name: "list, page 10^15", of: "large", request: () => get(`${COMPANIES}?page=1000000000000000`) },
  {
    name: "contacts, far page",
    of: "crowded",
    request: ({ company }) => get(`${COMPANIES}/${company}/contacts?per_page=200&page=20`),
  },
  {
    name: "wms-orders, far page",
    of: "crowded",
    request: ({ company }) => get(`${COMPANIES}/${company}/wms-orders?per_page=200&page=20`),
  },
  {
    name: "HEAD of a list, 200 rows",
    of: "large",
    request: () => ({ ...get(`${COMPANIES}?per_page=200`), method: "HEAD" }),
  },
  // Answers of a hundred megabytes.
  { name: "fat list", of: "fat", request: () => get(`${COMPANIES}?per_page=200`) },
  { name: "fat list, hang up", of: "fat", request: () => get(`${COMPANIES}?per_page=200`), hangUp: 100 },
  { name: "fat list, never read", of: "fat", request: () => get(`${COMPANIES}?per_page=200`), manner: "never reads" },
  { name: "fat contacts", of: "fat", request: ({ company }) => get(`${COMPANIES}/${company}/contacts?per_page=200`) },
  {
    name: "fat companies, one by one",
    of: "fat",
    request: ({ firstCompany }, n) => get(`${COMPANIES}/${firstCompany + (n % 200)}`),
  },
  {
    name: "fat updates",
    of: "fat",
    request: ({ firstCompany }, n) => put(firstCompany + (n % 200), { notes: FAT_TEXT, delivery_notes: FAT_TEXT }),
  },
  // Writes.
  {
    name: "updates of locked rows",
    of: "large",
    request: ({ firstCompany }, n) => put(firstCompany + (n % 16), { city: `City ${n}` }),
    locks: 16,
  },
  {
    name: "updates of locked rows, hang up",
    of: "large",
    request: ({ firstCompany }, n) => put(firstCompany + (n % 16), { city: `City ${n}` }),
    locks: 16,
    hangUp: 100,
  },
  {
    name: "updates of one row",
    of: "large",
    request: ({ firstCompany }, n) => put(firstCompany, { city: `City ${n}` }),
  },
  {
    name: "updates of 1,000 sets of fields",
    of: "large",
    request: ({ firstCompany }, n) => put(firstCompany + n, fieldsOf(n % 1_000)),
  },
  {
    name: "updates in opposite orders",
    of: "large",
    request: ({ firstCompany }, n) =>
      put(firstCompany + (n % 2 === 0 ? (n / 2) % 50 : 50 - (((n - 1) / 2) % 50)), { tax_id: `DEAD${n % 60}` }),
  },
  {
    name: "creates, a minute's worth at once",
    of: "large",
    request: (_rows, n) => post({ name: `Firma ${n}` }),
    burst: 6_000,
  },
  {
    name: "creates of one tax id",
    of: "large",
    request: () => post({ name: "Firma", tax_id: "RO10000001" }),
    burst: 6_000,
  },
  { name: "creates that are not valid", of: "large", request: () => post({ email: "@".repeat(60_000) }) },
  {
    name: "deletions of one company",
    of: "large",
    request: ({ firstCompany }) => ({ method: "DELETE", path: `${COMPANIES}/${firstCompany + 1}` }),
  },
  {
    name: "look-ups, a minute's worth at once",
    of: "large",
    request: ({ firstCompany, companies }, n) => get(`${COMPANIES}/${firstCompany + ((n * 7_919) % companies)}`),
    burst: 6_000,
  },
  // What is refused.
  {
    name: "unknown tenants",
    of: "large",
    request: ({ token }, n) => ({ ...get(COMPANIES), token: `nobody-${n}.${token.split(".")[1]}` }),
    burst: Infinity,
  },
  {
    name: "wrong keys",
    of: "large",
    request: ({ token }, n) => ({ ...get(COMPANIES), token: token.slice(0, -6) + String(n).padStart(6, "0") }),
    burst: Infinity,
  },
  {
    name: "bodies of 1 MiB that are no JSON",
    of: "large",
    request: () => ({ ...post({}), body: `{"name": "${"x".repeat(BODY_BYTES)}` }),
  },
  { name: "bodies of 1 MiB, deep", of: "large", request: () => ({ ...post({}), body: "[".repeat(BODY_BYTES) }) },
  { name: "bodies of 1 MiB, many members", of: "large", request: () => ({ ...post({}), body: MANY_MEMBERS }) },
  // What a connection can be made to do.
  {
    name: "2,000 connections that ask nothing",
    of: "large",
    request: () => get(COMPANIES),
    manner: "stays silent",
    connections: 2_000,
  },
  {
    name: "500 slow bodies",
    of: "large",
    request: () => ({ ...post({}), body: "x".repeat(BODY_BYTES) }),
    manner: "drips",
    connections: 500,
  },
  {
    name: "pipelined lists",
    of: "large",
    request: () => get(`${COMPANIES}?per_page=200`),
    manner: "pipelines",
    burst: 2_000,
  },
  {
    name: "headers of 12 KB",
    of: "large",
    request: () => ({ ...get(COMPANIES), headers: { cookie: "x".repeat(12_000), accept: "*/*,".repeat(200) } }),
  },
];

/** Just below what is taken. */
const BODY_BYTES = 1_048_000;
const STATUSES = ["active", "inactive", "prospect", "churned"];
/** As long as a text may be, in characters of four bytes. */
const FAT_TEXT = "𝒳".repeat(65_535);
const MANY_MEMBERS = JSON.stringify(
  Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`f${index}`, index])),
);

function get(path: string): AttackRequest {
  return { method: "GET", path };
}

function post(body: object): AttackRequest {
  return { method: "POST", path: COMPANIES, body: JSON.stringify(body) };
}

function put(company: number, body: object): AttackRequest {
  return { method: "PUT", path: `${COMPANIES}/${company}`, body: JSON.stringify(body) };
}

function search(text: string): Attack["request"] {
  const request = get(`${COMPANIES}?search=${encodeURIComponent(text)}`);
  return () => request;
}

function searchContacts(text: string): Attack["request"] {
  return ({ company }: AttackedRows) => get(`${COMPANIES}/${company}/contacts?search=${encodeURIComponent(text)}`);
}

/** Three letters that differ from request to request. */
function wordOf(n: number): string {
  return [n % 26, (n * 7) % 26, Math.floor(n / 26) % 26].map((letter) => String.fromCharCode(97 + letter)).join("");
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
function fieldsOf(set: number): Record<string, string> {
  return Object.fromEntries(FIELDS.filter((_, bit) => (set >> bit) % 2 === 1).map((name) => [name, `set ${set}`]));
}
