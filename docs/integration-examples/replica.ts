// Keeps a copy of all companies, contacts and addresses with their external ids in an SQLite file.
//
//   LIAISON=http://127.0.0.1:3000 TOKEN=demo.lsn_... node replica.ts replica.db
//
// Node 24 or later, nothing else. It reads the lists once, and then follows the feed, whose changes bring their resources
// (include=resource). Rows and the cursor behind them are committed together, so it may be killed at any moment.
import { DatabaseSync } from "node:sqlite";

const { LIAISON, TOKEN } = process.env;

type Resource = { id: number; company_id?: number };
type Embedded = { data: Resource[]; more: boolean };
type Companies = { data: (Resource & { contacts: Embedded; addresses: Embedded })[]; next_cursor: string | null };
type Change = { type: string; resource_id: number; resource: Resource | null };
type List = { data: Resource[]; next_cursor: string | null };
type Feed = { data: Change[]; next: string; more: boolean };

const copy = new DatabaseSync(process.argv[2] ?? "replica.db", { timeout: 5_000 });
copy.exec(`pragma journal_mode = wal;
  create table if not exists resources (
    type text, id integer, company_id integer, data text not null, primary key (type, id));
  create table if not exists cursors (name text primary key, value text)`);

for (;;) {
  if (cursor("walk") !== null) await walk();
  else if (cursor("feed") === null) await begin();
  else await follow();
}

/** The end of the feed comes before the lists: what changes while they are read is behind it, and read again. */
async function begin(): Promise<void> {
  let page: Feed | null = { data: [], next: "", more: true };
  // No change has this type, so a few requests reach the end.
  while (page?.more) page = await get<Feed>("/changes", { types: "wms_order", limit: "1000", after: page.next });
  if (page === null) return;
  commit({ feed: page.next, walk: "" }, () => copy.exec("delete from resources"));
}

/** A page of companies with their contacts and addresses. */
async function walk(): Promise<void> {
  const query = { cursor: cursor("walk") ?? "", per_page: "50", include: "contacts,addresses,external" };
  const page = await get<Companies>("/companies", query);
  // The cursor belongs to another installation, as after a move: all is read again.
  if (page === null) return commit({ feed: null, walk: null }, () => {});
  const rows: [type: string, row: Resource][] = [];
  for (const { contacts, addresses, ...company } of page.data) {
    rows.push(["company", company]);
    const [people, places] = [
      await allOf(company.id, "contacts", contacts),
      await allOf(company.id, "addresses", addresses),
    ];
    rows.push(...people.map((row): [string, Resource] => ["contact", row]));
    rows.push(...places.map((row): [string, Resource] => ["address", row]));
  }
  commit({ walk: page.next_cursor }, () => {
    for (const [type, row] of rows) put(type, row);
  });
}

/** A company has the first hundred with it; a larger one's are read from their list. */
async function allOf(company: number, noun: string, { data, more }: Embedded): Promise<Resource[]> {
  if (!more) return data;
  const rows: Resource[] = [];
  for (let at: string | null = ""; at !== null;) {
    const query: Record<string, string> = { cursor: at, per_page: "200", include: "external" };
    const page: List | null = await get<List>(`/companies/${company}/${noun}`, query);
    // Null: the company was deleted meanwhile. The feed says so too.
    rows.push(...(page?.data ?? []));
    at = page?.next_cursor ?? null;
  }
  return rows;
}

/** The changes since the cursor, or within half a minute. Each brings its resource as it is now, or null. */
async function follow(): Promise<void> {
  const query = { after: cursor("feed") ?? "", types: "company,contact,address", wait: "30" };
  // Contacts and addresses go and return with their company: `children` has a change for each.
  const page = await get<Feed>("/changes", { ...query, children: "true", include: "resource,external" });
  // The feed has forgotten the place (410): all is read again.
  if (page === null) return commit({ feed: null }, () => {});
  commit({ feed: page.next }, () => {
    for (const { type, resource_id: id, resource } of page.data) {
      if (resource !== null) put(type, resource);
      else remove(type, id);
    }
  });
}

function put(type: string, resource: Resource): void {
  const { id, company_id: company = id } = resource;
  const insert = copy.prepare("insert or replace into resources values (?, ?, ?, ?)");
  insert.run(type, id, company, JSON.stringify(resource));
}

function remove(type: string, id: number): void {
  copy.prepare("delete from resources where type = ? and id = ?").run(type, id);
}

function cursor(name: string): string | null {
  const row = copy.prepare("select value from cursors where name = ?").get(name);
  return (row?.value ?? null) as string | null;
}

function commit(cursors: Record<string, string | null>, write: () => void): void {
  copy.exec("begin immediate");
  write();
  for (const [name, value] of Object.entries(cursors)) {
    copy.prepare("insert or replace into cursors values (?, ?)").run(name, value);
  }
  copy.exec("commit");
}

/** The answer's body; null if the resource, or the place of a cursor, is gone. It waits while the server is away. */
async function get<Body>(path: string, query: Record<string, string>): Promise<Body | null> {
  for (;;) {
    const url = `${LIAISON}/api/v1${path}?${new URLSearchParams(query).toString()}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } }).catch(() => null);
    const text = await answer?.text().catch(() => null);
    if (answer?.ok && typeof text === "string") return JSON.parse(text) as Body;
    if (answer?.status === 404 || answer?.status === 410) return null;
    if (answer?.headers.get("x-error-code") === "cursor_invalid") return null;
    if (answer && text !== null && answer.status < 500 && answer.status !== 429) throw new Error(text);
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer?.headers.get("retry-after") ?? 1)));
  }
}
