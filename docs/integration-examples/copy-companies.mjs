// Keeps a copy of all companies in an SQLite file, and goes on wherever it was stopped.
//
//   LIAISON=http://127.0.0.1:3000 TOKEN=demo.lsn_... node copy-companies.mjs companies.db
//
// Node 24 or later, nothing else. What is written and the cursor behind it are committed together, so that it may be killed at any moment.
import { DatabaseSync } from "node:sqlite";

const { LIAISON, TOKEN } = process.env;
const copy = new DatabaseSync(process.argv[2] ?? "companies.db", { timeout: 5_000 });
copy.exec(`pragma journal_mode = wal;
  create table if not exists companies (id integer primary key, data text not null);
  create table if not exists cursors (name text primary key, value text)`);

for (;;) {
  if (cursor("walk") !== null) await walk();
  else if (cursor("feed") === null) await begin();
  else await follow();
}

/** A cursor of the feed comes first, then the companies: what changes while they are read is behind it. */
async function begin() {
  let page = { next: "", more: true };
  while (page?.more) page = await get("/changes", { after: page.next, limit: 1000 });
  if (page === null) return;
  commit({ feed: page.next, walk: "" }, () => copy.exec("delete from companies"));
}

/** One page of the companies after the other. */
async function walk() {
  const page = await get("/companies", { cursor: cursor("walk"), per_page: 200 });
  // Its place is not there any more, as after a move: all is read anew, as where that of the feed is not.
  if (page === null) return commit({ feed: null, walk: null }, () => {});
  commit({ walk: page.next_cursor }, () => page.data.forEach(keep));
}

/** The companies that have changed since, or do within half a minute, each read as it is now. */
async function follow() {
  const page = await get("/changes", { after: cursor("feed"), types: "company", wait: 30 });
  if (page === null) return commit({ feed: null }, () => {});
  const ids = [...new Set(page.data.map(({ resource_id }) => resource_id))];
  const companies = [];
  for (const id of ids) companies.push((await get(`/companies/${id}`))?.data ?? { id, isGone: true });
  commit({ feed: page.next }, () => companies.forEach(keep));
}

function keep({ isGone, ...company }) {
  if (isGone) copy.prepare("delete from companies where id = ?").run(company.id);
  else copy.prepare("insert or replace into companies values (?, ?)").run(company.id, JSON.stringify(company));
}

function cursor(name) {
  return copy.prepare("select value from cursors where name = ?").get(name)?.value ?? null;
}

function commit(cursors, write) {
  copy.exec("begin immediate");
  write();
  for (const [name, value] of Object.entries(cursors)) {
    copy.prepare("insert or replace into cursors values (?, ?)").run(name, value);
  }
  copy.exec("commit");
}

/** The answer's body, or null where what was asked for, or the place behind a cursor, is gone. Whatever may pass is waited for. */
async function get(path, query = {}) {
  for (;;) {
    const url = `${LIAISON}/api/v1${path}?${new URLSearchParams(query)}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } }).catch(() => null);
    if (answer?.ok) return await answer.json();
    if (answer?.status === 404 || answer?.status === 410) return null;
    if (answer?.headers.get("x-error-code") === "cursor_invalid") return null;
    if (answer !== null && answer.status < 500 && answer.status !== 429) throw new Error(await answer.text());
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer?.headers.get("retry-after") ?? 1)));
  }
}
