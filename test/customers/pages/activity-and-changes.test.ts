import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Visitor } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

const server = await startServer();

async function firm() {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Ana Pop" });
  const id = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data.id as number;
  const contact = (await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name: "Ion", last_name: "Marin" }))
    .body.data.id as number;
  const change = async (times: number) => {
    for (let n = 0; n < times; n++) await tenant.put(`/api/v1/companies/${id}`, { city: `City ${n}` });
  };
  const say = async (note: string, more: Record<string, string> = {}) =>
    assert.equal((await member.post(`/companies/${id}/activities`, { kind: "call", note, ...more })).status, 303);
  return { tenant, member, id, contact, path: `/companies/${id}`, change, say };
}

/** The events of a page, as a person reads them. */
function lines(page: string): string[] {
  const list =
    /<section class="section" id="happened">[^]*?<\/section>|<div id="changes">[^]*?<\/main>/.exec(page)?.[0] ?? "";
  return list
    .split(/<li>(?=<time)/)
    .slice(1)
    .map((line) =>
      (line.split(/<nav|<\/ul>\s*(?:<h[23]|<p class="foot"|<\/section)/)[0] ?? "")
        .replaceAll(/<time[^]*?<\/time>|<b class="initials"[^]*?<\/b>|<a class="mend"[^]*?<\/a>|<[^>]+>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
}

/** All lines from a page on, with those that "Older" leads to. */
async function all(member: Visitor, first: string): Promise<string[]> {
  const seen: string[] = [];
  for (let next: string | undefined = first; next !== undefined;) {
    const { status, text } = await member.get(next);
    assert.equal(status, 200);
    seen.push(...lines(text));
    const [, href = ""] = /<a rel="next" href="([^"]+)"/.exec(text) ?? [];
    next = href === "" ? undefined : href.replaceAll("&amp;", "&").replace(/^\?/, "/history?");
  }
  return seen;
}

test("a call stands at its company however much is changed afterwards, and in the history", async () => {
  const { member, path, id, change, say } = await firm();
  await say("Wants two pallets");
  await change(60);
  assert.deepEqual(lines((await member.get(path)).text), ["Ana Pop called Wants two pallets"]);
  for (const address of [`${path}?activity=all`, `/history?company=${id}`, "/history", "/history?type=call"]) {
    const found = await all(member, address);
    const calls = found.filter((line) => line.includes("Wants two pallets"));
    assert.equal(calls.length, 1, address);
  }
  const changes = await all(member, `${path}?activity=changes`);
  assert.equal(changes.join(" ").match(/ to City \d+/g)?.length, 60);
  assert.ok(!changes.some((line) => line.includes("pallets")));
});

test("a company about which nobody wrote anything shows its changes", async () => {
  const { member, path } = await firm();
  const { text } = await member.get(path);
  assert.match(text, /activity=all#happened" data-swap="happened" aria-current="page"/);
  assert.match(lines(text).at(-1) ?? "", /created the company/);
});

test("both sources continue to their beginning, each entry once, in the order of time", async () => {
  const { member, path, id, change, say } = await firm();
  const expected: string[] = [];
  for (let n = 0; n < 30; n++) {
    await say(`note ${n}.`);
    expected.push(`note ${n}.`);
  }
  await change(45);
  for (let n = 30; n < 120; n++) {
    await say(`note ${n}.`);
    expected.push(`note ${n}.`);
  }
  const notes = (found: string[]) => found.flatMap((line) => /note \d+\./.exec(line)?.[0] ?? []);
  for (const address of [path, `${path}?activity=all`, `/history?company=${id}`, `/history?company=${id}&type=said`]) {
    assert.deepEqual(notes(await all(member, address)), expected.toReversed(), address);
  }
  const mixed = await all(member, `${path}?activity=all`);
  assert.equal(mixed.join(" ").match(/ to City \d+/g)?.length, 45);
  assert.ok(mixed.findIndex((line) => line.includes("City")) > mixed.findIndex((line) => line.includes("note 30.")));
  assert.ok(
    mixed.findLastIndex((line) => line.includes("City")) < mixed.findIndex((line) => line.includes("note 29.")),
  );
});

test("many changes of one moment push out neither each other nor what was said", async () => {
  const { tenant, member, path, id, say } = await firm();
  await say("Before all of it");
  await server.sql(
    `insert into changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
     select $1, '2100-01-01', 'company', $2, $2, 'updated', '{"city":{"from":null,"to":"Same ' || n || '."}}', 'import' from generate_series(1, 130) n`,
    [tenant.id, id],
  );
  const found = await all(member, `${path}?activity=all`);
  const cities = found.flatMap((line) => line.match(/Same \d+\./g) ?? []);
  assert.deepEqual([cities.length, new Set(cities).size], [130, 130]);
  assert.equal(found.filter((line) => line.includes("Before all of it")).length, 1);
});

test("a call with a call-back is one entry, which says when", async () => {
  const { member, path, id, say } = await firm();
  await say("Asked for a price", { callback_date: "2030-01-15" });
  for (const address of [path, `${path}?activity=all`, `/history?company=${id}`]) {
    const found = await all(member, address);
    const told = found.filter((line) => /price|15 Jan 2030/.test(line));
    assert.deepEqual(told, ["Ana Pop called Asked for a price Call back on 15 Jan 2030"], address);
  }
  // The list of changes alone still has it, and a call-back that was set alone is shown everywhere.
  assert.ok((await all(member, `${path}?activity=changes`)).some((line) => line.includes("15 Jan 2030")));
  await member.post(path, { callback_date: "2031-02-03" });
  assert.ok(
    (await all(member, `${path}?activity=all`)).some((line) =>
      /changed call back from 15 Jan 2030 to 3 Feb 2031/.test(line),
    ),
  );
});

test("an activity with a contact stands at its company too", async () => {
  const { member, path, contact } = await firm();
  await member.post(`/contacts/${contact}/activities`, { kind: "meeting", note: "At the fair" });
  assert.deepEqual(lines((await member.get(path)).text), ["Ana Pop met Ion Marin At the fair"]);
});

test("the history is filtered by the kind of an activity and by person, and names the company", async () => {
  const { tenant, member, path, say } = await firm();
  const other = await signedIn(server, tenant, { name: "Dan Rus" });
  await say("By Ana");
  await other.post(`${path}/activities`, { kind: "note", note: "By Dan" });
  const of = async (query: string) => lines((await member.get(`/history?${query}`)).text);
  assert.deepEqual(await of("type=said"), ["Dan Rus wrote a note at Acme By Dan", "Ana Pop called Acme By Ana"]);
  assert.deepEqual(await of("type=note"), ["Dan Rus wrote a note at Acme By Dan"]);
  assert.deepEqual(await of(`type=said&by=user:${member.userId}`), ["Ana Pop called Acme By Ana"]);
  assert.deepEqual(await of(`by=user:${other.userId}`), ["Dan Rus wrote a note at Acme By Dan"]);
  assert.deepEqual(await of("type=said&to=2001-01-01"), []);
  assert.ok(!(await of("action=created")).some((line) => line.includes("By ")));
  const stranger = await signedIn(server, await server.createTenant());
  assert.deepEqual(lines((await stranger.get("/history?type=said")).text), []);
});
