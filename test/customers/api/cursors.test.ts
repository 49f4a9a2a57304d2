import assert from "node:assert/strict";
import { test } from "node:test";
import { generateEncryptionKey } from "../../../src/platform/encryption/keyring.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { runs } from "../../properties.ts";

/**
 * The lists behind cursors (docs/contract.md 5.7): what they answer, whatever comes and goes meanwhile, and which
 * cursors they take.
 */
const keys = [generateEncryptionKey([])];
const server = await startServer();
server.deps.keyring.replaceEncryptionKeys(keys);
const tenant = await server.createTenant();
const COMPANIES = "/api/v1/companies";

type Item = { id: number; [name: string]: unknown };
type Page = { data: Item[]; next_cursor: string | null; per_page: number };

/**
 * A list with the queries that it is walked with, and how one of its rows is made and changed without moving in the
 * order.
 */
type List = {
  path: string;
  one: string;
  queries: string[];
  create: (random: Random) => object;
  /** What leaves the row where it is, and in whatever filter it is. */
  keep: (random: Random, query: string) => object;
  /** Rows that are not deleted by the API. */
  isKept?: true;
};
type Random = <T>(values: readonly T[]) => T;

const NAMES = ["Ana", "ána", "ANA", "Țar", "tar", "Zoe", "ab", "a", "\u{10ffff}", "ß", "Ab-1", "́"];

async function listsOf(of: TestTenant): Promise<List[]> {
  const { id } = (await of.post(COMPANIES, { name: "Parent" })).body.data;
  // An invoice keeps it from being deleted.
  await of.post(`${COMPANIES}/${id}/invoices`, { number: "1" });
  const children = `${COMPANIES}/${id}`;
  return [
    {
      path: COMPANIES,
      one: COMPANIES,
      queries: [
        "",
        "sort=-id",
        "sort=name",
        "sort=-name",
        "search=an",
        "sort=name&search=ana",
        "status=active",
        "sort=-name&status=active&search=a",
      ],
      create: (random) => ({
        name: random(NAMES),
        city: random(["", "Turda", "Ana"]),
        status: random(["active", "churned"]),
      }),
      // By id a name moves nothing.
      keep: (random, query) => ({
        [/name|search/.test(query) ? "notes" : "name"]: random(NAMES),
        delivery_notes: random(NAMES),
      }),
    },
    {
      path: `${children}/contacts`,
      one: "/api/v1/contacts",
      queries: ["", "search=a", "search=ana"],
      create: (random) => ({
        first_name: random(NAMES),
        last_name: random(NAMES),
        is_primary: random([true, false, false]),
      }),
      keep: (random) => ({ notes: random(NAMES) }),
    },
    {
      path: `${children}/addresses`,
      one: "/api/v1/addresses",
      queries: ["", "search=a", "search=tar"],
      create: (random) => ({ address: random(NAMES), is_default: random([true, false, false]) }),
      keep: (random) => ({ delivery_notes: random(NAMES) }),
    },
    {
      path: `${children}/invoices`,
      one: "/api/v1/invoices",
      queries: ["", "status=paid", "search=a", "status=issued&search=7"],
      create: (random) => ({
        number: `${random(NAMES)}-${Math.random()}`,
        issued_on: random([null, "2026-01-01", "2026-01-02", "2025-12-31"]),
        status: random(["paid", "issued"]),
      }),
      keep: (random) => ({ due_on: random(["2026-02-01", "2026-02-02", null]) }),
      isKept: true,
    },
  ];
}

test("a page behind a cursor has three members, and the items and the order of the numbered pages", async () => {
  const random = randomOf(1);
  for (const list of await listsOf(tenant)) {
    for (let i = 0; i < 23; i++) await tenant.post(list.path, list.create(random));
    for (const query of list.queries) {
      const numbered = (await tenant.get(`${list.path}?per_page=200&${query}`)).body.data;
      const seen: Item[] = [];
      let cursor: string | null = "";
      do {
        const perPage: number = random([1, 2, 3, 7, 200]);
        const { status, body } = await tenant.get(`${list.path}?${query}&per_page=${perPage}&cursor=${cursor}&page=7`);
        assert.equal(status, 200);
        assert.deepEqual(Object.keys(body), ["data", "next_cursor", "per_page"]);
        assert.equal(body.per_page, perPage);
        assert.match(body.next_cursor ?? "a", /^[\w.-]+$/);
        seen.push(...body.data);
        cursor = body.next_cursor;
        assert.equal(body.data.length === perPage, cursor !== null || body.data.length === perPage);
      } while (cursor !== null);
      assert.deepEqual(seen, numbered, `${list.path}?${query}`);
    }
  }
});

test("whatever comes and goes during a walk, each row that stays is seen once", async () => {
  for (let seed = 1; seed <= runs(2); seed++) {
    const random = randomOf(seed);
    const another = await server.createTenant();
    for (const list of await listsOf(another)) {
      const create = async () => Number((await another.post(list.path, list.create(random))).body.data.id);
      for (const query of list.queries) {
        for (let i = 0; i < 12; i++) await create();
        const staying = new Set(idsIn((await another.get(`${list.path}?per_page=200&${query}`)).body.data));
        const added: number[] = [];
        const seen: number[] = [];
        for (let cursor: string | null = ""; cursor !== null;) {
          const answer = await another.get(`${list.path}?${query}&per_page=${random([1, 2, 5])}&cursor=${cursor}`);
          const { data, next_cursor: next } = answer.body as Page;
          seen.push(...idsIn(data));
          cursor = next;
          const stays = [...staying];
          // The row that the cursor stands behind among them. One that something belongs to stays.
          const victim = random([...stays, ...added, ...seen.slice(-1)]);
          if (!list.isKept && (await another.delete(`${list.one}/${victim}`)).status === 200) staying.delete(victim);
          if (seen.length < 80) for (let i = 0; i < random([0, 1, 2]); i++) added.push(await create());
          await another.put(`${list.one}/${random(stays)}`, list.keep(random, query));
        }
        assert.equal(new Set(seen).size, seen.length, `${list.path}?${query}: none twice`);
        const missed = [...staying].filter((id) => !seen.includes(id));
        assert.deepEqual(missed, [], `${list.path}?${query}, seed ${seed}`);
      }
    }
  }
});

test("a cursor that is unreadable, or of another list, filter, order or tenant, is refused", async () => {
  const lists = await listsOf(tenant);
  const random = randomOf(7);
  const strange = await server.createTenant();
  for (const { path, queries, create } of lists) {
    for (let i = 0; i < 3; i++) await tenant.post(path, create(random));
    const cursor = await cursorOf(tenant, `${path}?${queries[0]}`);
    const last = cursor.length - 1;
    const unreadable = [
      "%20",
      "%00",
      "0",
      "null",
      "[]",
      `%20${cursor}`,
      `${cursor}%20`,
      `${cursor}%0A`,
      `${cursor}=`,
      `${cursor}A`,
      cursor.slice(1),
      cursor.slice(0, -1),
      cursor.replace(".", ":"),
      cursor.replace(/^.*\./, "k99."),
      cursor.replace(/^.*\./, `${"k".repeat(5_000)}.`),
      cursor.replace(/.*\./, ""),
      cursor.toUpperCase(),
      // The bits of the last character that stand for nothing, and those of one in the middle.
      ...[last, last - 20].flatMap((at) =>
        "AQgwBCDEF_-"
          .split("")
          .filter((other) => other !== cursor[at])
          .map((other) => cursor.slice(0, at) + other + cursor.slice(at + 1)),
      ),
    ];
    for (const text of unreadable) await assertRefused(tenant, `${path}?cursor=${text}`);
    for (const query of queries.slice(1)) {
      await assertRefused(tenant, `${path}?${query}&cursor=${cursor}`);
      const other = await tenant.get(`${path}?${query}&per_page=1&cursor=`);
      if (other.body.next_cursor !== null) await assertRefused(tenant, `${path}?cursor=${other.body.next_cursor}`);
    }
    await assertRefused(tenant, `${path}?search=${"a".repeat(256)}&cursor=${cursor}`);
    for (const another of lists.filter((list) => list.path !== path)) {
      await assertRefused(tenant, `${another.path}?cursor=${cursor}`);
    }
    assert.equal((await tenant.get(`${path}?cursor=${cursor}&cursor=`)).status, 200);
    await assertRefused(tenant, `${path}?cursor=&cursor=x`);
  }
  const others = await listsOf(strange);
  for (const [index, { path }] of lists.entries()) {
    const cursor = await cursorOf(tenant, path);
    const theirs = String(others[index]?.path);
    await assertRefused(strange, `${theirs}?cursor=${cursor}`);
  }
  // The same list of another company.
  const [, contacts] = await listsOf(tenant);
  await assertRefused(tenant, `${contacts?.path}?cursor=${await cursorOf(tenant, String(lists[1]?.path))}`);
});

test("a missing company is reported before a wrong cursor", async () => {
  for (const list of ["contacts", "addresses", "invoices"]) {
    for (const cursor of ["", "x"]) {
      const { status, body } = await tenant.get(`${COMPANIES}/999999/${list}?cursor=${cursor}`);
      assert.deepEqual([status, body], [404, { message: "No query results for model [Company] 999999" }]);
    }
  }
});

test("a cursor goes on under parameters that mean the same, and a filter that can match nothing has none", async () => {
  const cursor = await cursorOf(tenant, COMPANIES);
  for (const same of ["sort=id", "sort=none", "search=%20", "status=", "page=3", "x=1", "per_page=200"]) {
    assert.equal((await tenant.get(`${COMPANIES}?${same}&cursor=${cursor}`)).status, 200, same);
  }
  for (const none of ["status=none", "assigned_to=x", `search=${"a".repeat(256)}`]) {
    const { status, body } = await tenant.get(`${COMPANIES}?${none}&cursor`);
    assert.deepEqual([status, body], [200, { data: [], next_cursor: null, per_page: 50 }]);
  }
});

test("a cursor holds when the encryption key is rotated, and reveals nothing", async () => {
  const { keyring } = server.deps;
  const rotated = await server.createTenant();
  for (const name of ["Secretive", "Discreet"]) await rotated.post(COMPANIES, { name });
  const cursor = await cursorOf(rotated, `${COMPANIES}?sort=name`);
  assert.doesNotMatch(Buffer.from(cursor.replace(/^.*\./, ""), "base64url").toString("latin1"), /discreet/i);
  assert.notEqual(await cursorOf(rotated, `${COMPANIES}?sort=name`), cursor);
  const old = keyring.currentKeyId;
  keyring.replaceEncryptionKeys([generateEncryptionKey(keys), ...keys]);
  assert.notEqual(keyring.currentKeyId, old);
  const { body } = await rotated.get(`${COMPANIES}?sort=name&cursor=${cursor}`);
  assert.deepEqual(
    body.data.map(({ name }: Item) => name),
    ["Secretive"],
  );
  assert.equal(body.next_cursor, null);
});

test("few matches of many rows come as full pages, others as those that a page looks at", async () => {
  const large = await server.createTenant();
  // Of 21,000 one matches "lonely"; 6,000, all of them behind the first 13,000, match "herd"; one in 3,000 has a "q7".
  await server.sql(
    `insert into companies (tenant_id, name, country, status)
     select $1, case when g = 20000 then 'Lonely' when g > 13000 and g <= 19000 then 'Herd ' || g else 'Other ' || g end
       || case when g % 3000 = 7 then ' q7' else '' end, 'Romania', case when g = 20001 then 'churned' else 'active' end
     from generate_series(1, 21000) g`,
    [large.id],
  );
  // Another tenant's are neither found nor counted.
  const other = await server.createTenant();
  await server.sql(
    "insert into companies (tenant_id, name, country, status) select $1, 'Lonely', 'Romania', 'churned' from generate_series(1, 5000)",
    [other.id],
  );
  for (const sort of ["id", "-name"]) {
    for (const [query, total, mostPages] of [
      ["search=lonely", 1, 1],
      ["status=churned", 1, 1],
      ["search=other&status=churned", 1, 1],
      ["search=q7", 7, 3],
      ["search=herd", 6_000, 33],
      ["search=herd&status=active", 6_000, 33],
      ["search=nothing", 0, 1],
      ["search=%CC%81", 0, 1],
    ] as const) {
      const seen: number[] = [];
      const pages: number[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const { body } = await large.get(`${COMPANIES}?sort=${sort}&${query}&per_page=200&cursor=${cursor}`);
        seen.push(...idsIn(body.data));
        pages.push(body.data.length);
        cursor = body.next_cursor;
      }
      const said = `${query}&sort=${sort}: pages of ${pages.join()}`;
      assert.deepEqual([seen.length, new Set(seen).size], [total, total], said);
      assert.ok(pages.length <= mostPages, said);
      // The first 10,000 have none, and all of them are too many to be looked up.
      if (total === 6_000 && sort === "id") assert.equal(pages[0], 0, said);
    }
  }
});

async function cursorOf(of: TestTenant, path: string): Promise<string> {
  const { body } = await of.get(`${path}${path.includes("?") ? "&" : "?"}per_page=1&cursor=`);
  assert.ok(typeof body.next_cursor === "string", path);
  return body.next_cursor;
}

async function assertRefused(by: TestTenant, path: string): Promise<void> {
  const { status, body, headers } = await by.get(path);
  assert.deepEqual(
    [status, body, headers.get("x-error-code")],
    [422, { error: "Invalid cursor." }, "cursor_invalid"],
    path,
  );
}

function idsIn(items: Item[]): number[] {
  return items.map(({ id }) => id);
}

/** The same sequence for a seed. */
function randomOf(seed: number): Random {
  let state = seed;
  return (values) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return values[(state >>> 8) % values.length] as (typeof values)[number];
  };
}
