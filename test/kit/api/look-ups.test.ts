import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../doors/api/resources.ts";
import { request, startServer, type TestTenant } from "../../harness.ts";

/** The look-ups of docs/contract.md 5.9. */
const server = await startServer();

/** The ids of a list, by its pages and by cursor: both must have the same. */
async function idsOf(tenant: TestTenant, list: string, query: string): Promise<number[]> {
  const page = await tenant.get(`${list}?${query}&per_page=200`);
  assert.equal(page.status, 200, page.text);
  const ids = page.body.data.map(({ id }: { id: number }) => id);
  assert.equal(page.body.total, ids.length);
  const walked: number[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body } = await tenant.get(`${list}?${query}&per_page=2&cursor=${cursor}`);
    walked.push(...body.data.map(({ id }: { id: number }) => id));
    cursor = body.next_cursor;
  }
  assert.deepEqual(walked, ids, query);
  return ids;
}

async function createAll(tenant: TestTenant, list: string, bodies: readonly object[]): Promise<number[]> {
  const made: number[] = [];
  for (const body of bodies) {
    const created = await tenant.post(list, body);
    assert.equal(created.status, 201, created.text);
    made.push(created.body.data.id);
  }
  return made;
}

async function showOf(tenant: TestTenant, path: string, id: number | undefined): Promise<{ updated_at: string }> {
  return (await tenant.get(`${path}/${id}`)).body.data;
}

test("companies are looked up by tax id and by ids, beside every filter and order", async () => {
  const tenant = await server.createTenant();
  const [a, b, c] = await createAll(tenant, "/api/v1/companies", [
    { name: "Beta", tax_id: "RO1", status: "active", external: { erp: "1" } },
    { name: "Alfa", tax_id: "R\u00d62", status: "active" },
    { name: "Gama", status: "inactive" },
  ]);
  const list = "/api/v1/companies";
  assert.deepEqual(await idsOf(tenant, list, "tax_id=%20ro1%20"), [a]);
  // Decomposed, in the other case.
  assert.deepEqual(await idsOf(tenant, list, `tax_id=${encodeURIComponent("ro\u03082")}`), [b]);
  assert.deepEqual(await idsOf(tenant, list, "tax_id=RO"), []);
  assert.deepEqual(await idsOf(tenant, list, "tax_id=RO1%00x"), []);
  assert.deepEqual(await idsOf(tenant, list, `ids=${c},${a},,%20${a}`), [a, c]);
  assert.deepEqual(await idsOf(tenant, list, `ids=${c},${b},${a}&sort=name`), [b, a, c]);
  assert.deepEqual(await idsOf(tenant, list, `ids=${c},${b},${a}&sort=-id`), [c, b, a]);
  assert.deepEqual(await idsOf(tenant, list, `ids=${a},${b},${c}&status=active&search=alf`), [b]);
  assert.deepEqual(await idsOf(tenant, list, `ids=${a},${b}&tax_id=ro1`), [a]);
  assert.deepEqual(await idsOf(tenant, list, `ids=${a},${b}&external=erp:1&tax_id=ro1`), [a]);
  assert.deepEqual(await idsOf(tenant, list, `ids=${b}&external=erp:1`), []);
  for (const nothing of ["word", "1.5", "0", "-1", `0${a}`, "9".repeat(30), ",", "1%002"]) {
    assert.deepEqual(await idsOf(tenant, list, `ids=${nothing}`), [], nothing);
  }
  assert.deepEqual(await idsOf(tenant, list, `ids=word,${b}`), [b]);
  assert.equal((await tenant.get(`${list}?ids=`)).body.total, 3, "an empty one is no look-up");

  await tenant.delete(`${list}/${a}`);
  assert.deepEqual(await idsOf(tenant, list, "tax_id=RO1"), []);
  assert.deepEqual(await idsOf(tenant, list, `ids=${a},${b}`), [b]);
  const other = await server.createTenant();
  assert.deepEqual(await idsOf(other, list, `ids=${b},${c}`), []);
  assert.equal((await tenant.get(`${list}?ids=1&tax_id=1`)).headers.get("x-query-ignored"), null);
});

test("200 ids are looked up in one request; one more is refused, a cursor belongs to its look-ups", async () => {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company", "Invoice"]);
  const items = Array.from({ length: 200 }, (_, index) => ({ name: `A ${index}` }));
  const { body } = await tenant.post("/api/v1/companies/batch", { items });
  const ids: number[] = body.results.map(({ id }: { id: number }) => id);
  const found = await tenant.get(`/api/v1/companies?per_page=200&ids=${ids.toReversed().join()},${ids[0]}`);
  assert.deepEqual(
    found.body.data.map(({ id }: { id: number }) => id),
    ids,
  );
  const message = "The ids field must not have more than 200 items.";
  for (const list of [
    "companies",
    ...["contacts", "addresses", "invoices"].map((noun) => `companies/${Company}/${noun}`),
  ]) {
    const refused = await tenant.get(`/api/v1/${list}?ids=${ids.join()},${Company}`);
    assert.deepEqual(
      [refused.status, refused.body],
      [422, { error: "Validation failed.", errors: { ids: [message] } }],
    );
  }
  // The missing company comes first.
  const missing = await tenant.get(`/api/v1/companies/${Number(Company) + 10_000}/contacts?ids=${ids.join()},1`);
  assert.equal(missing.status, 404);

  const first = await tenant.get(`/api/v1/companies?per_page=1&cursor=&ids=${ids.join()}`);
  const behind = (query: string) => tenant.get(`/api/v1/companies?cursor=${first.body.next_cursor}&${query}`);
  assert.equal((await behind(`ids=${ids.join()}`)).status, 200);
  assert.equal((await behind(`ids=${ids[0]},${ids[1]}`)).status, 422);
  assert.equal((await behind("")).status, 422);
});

test("each list finds what was updated at or after a moment, to the microsecond", async () => {
  const tenant = await server.createTenant();
  const companies = await createAll(tenant, "/api/v1/companies", [
    { name: "C", status: "active" },
    { name: "B", status: "active" },
    { name: "A", status: "inactive" },
  ]);
  const below = `/api/v1/companies/${companies[0]}`;
  const contacts = ["C", "B", "A"].map((name) => ({ first_name: name, last_name: "X" }));
  const addresses = ["C", "B", "A"].map((name) => ({ address: name, label: "x" }));
  const invoices = ["C", "B", "A"].map((number) => ({ number, status: "paid" }));
  const lists = [
    ["/api/v1/companies", "/api/v1/companies", companies, "status=active"],
    [`${below}/contacts`, "/api/v1/contacts", await createAll(tenant, `${below}/contacts`, contacts), "search=x"],
    [`${below}/addresses`, "/api/v1/addresses", await createAll(tenant, `${below}/addresses`, addresses), "search=x"],
    [`${below}/invoices`, "/api/v1/invoices", await createAll(tenant, `${below}/invoices`, invoices), "status=paid"],
  ] as const;
  for (const [list, one, [a, b, c], filter] of lists) {
    // The first is changed last.
    const changed = await tenant.put(`${one}/${a}`, { city: "Turda", job_title: "Buyer", currency: "RON" });
    const [at, ofB, ofC] = [changed.body.data, ...(await Promise.all([b, c].map((id) => showOf(tenant, one, id))))].map(
      (row) => row.updated_at,
    );
    assert.ok(ofB < ofC && ofC < at);
    const since = async (moment: string, more = "") =>
      (await idsOf(tenant, list, `updated_since=${moment}${more}`)).toSorted((x, y) => x - y);
    assert.deepEqual(await since(ofB), [a, b, c]);
    assert.deepEqual(await since(ofC), [a, c]);
    assert.deepEqual(await since(at), [a]);
    assert.deepEqual(await since(at.replace("Z", "+00:00")), [a], "a plus sign as it is");
    assert.deepEqual(await since(ofB, `&ids=${b}`), [b]);
    assert.deepEqual(await since(ofB, `&${filter}`), list === one ? [a, b] : [a, b, c]);
    assert.deepEqual(await since("2000-01-01T00:00:00Z"), [a, b, c]);
    assert.deepEqual(await since("2100-01-01T00:00:00Z"), []);
    const { body } = await tenant.get(`${list}?cursor=&per_page=1&updated_since=${ofB}`);
    const elsewhere = await tenant.get(`${list}?per_page=1&cursor=${body.next_cursor}`);
    assert.equal(elsewhere.status, 422, "its cursor belongs to it");
  }
});

test("updated_since accepts days and offsets without a colon, and rejects everything else", async () => {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company", "Invoice"]);
  await tenant.put(`/api/v1/companies/${Company}`, { city: "Turda" });
  const { updated_at: at } = (await tenant.get(`/api/v1/companies/${Company}`)).body.data;
  const [day, minute] = [at.slice(0, 10), at.slice(0, 16)];
  const nouns = ["contacts", "addresses", "invoices"];
  const lists = [
    ...["companies", "contacts", "addresses"].map((noun) => `/api/v1/${noun}`),
    ...nouns.map((noun) => `/api/v1/companies/${Company}/${noun}`),
  ];
  for (const text of [
    day,
    ` ${day} `,
    minute,
    minute.replace("T", " "),
    `${minute}:00Z`,
    `${minute}:00+0000`,
    `${minute}:00.000-0000`,
    `${minute}+00`,
    `${minute}:00+00:00`,
    "0001-01-01T00:00:00+02:00",
  ]) {
    // With the plus sign as it is, and encoded.
    for (const written of [encodeURIComponent(text), text.replaceAll(" ", "%20")]) {
      const found = await idsOf(tenant, "/api/v1/companies", `updated_since=${written}`);
      assert.deepEqual(found, [Number(Company)], written);
      for (const list of lists) assert.equal((await tenant.get(`${list}?updated_since=${written}`)).status, 200);
    }
  }
  const tomorrow = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  for (const text of [tomorrow, `${minute}:59-0100`, `${minute}:59-01`]) {
    assert.deepEqual(await idsOf(tenant, "/api/v1/companies", `updated_since=${text}`), [], text);
  }
  const message = "The updated since field must be a valid date and time.";
  for (const text of [
    "yesterday",
    "1764288000",
    "Sun, 01 Nov 2026 00:00:00 GMT",
    "2026-02-30",
    "2026-11-01T25:00:00Z",
    "2026-11-01T00:00:00+2400",
    "01.11.2026",
    `${day} 0000`,
  ]) {
    const written = encodeURIComponent(text);
    for (const more of ["", "&cursor=", "&ids=1"]) {
      for (const list of lists) {
        const { status, body } = await tenant.get(`${list}?updated_since=${written}${more}`);
        assert.deepEqual(
          [status, body],
          [422, { error: "Validation failed.", errors: { updated_since: [message] } }],
          `${list}?${written}${more}`,
        );
      }
    }
  }
  for (const noun of nouns) {
    const missing = await tenant.get(`/api/v1/companies/${Number(Company) + 10_000}/${noun}?updated_since=never`);
    assert.equal(missing.status, 404, "the missing company comes first");
  }
});

test("companies that were updated are found however many they are, and also before the history began", async () => {
  const tenant = await server.createTenant();
  const [first] = await createAll(tenant, "/api/v1/companies", [{ name: "Old" }]);
  const begun = (await showOf(tenant, "/api/v1/companies", first)).updated_at;
  await server.sql(
    "insert into companies (tenant_id, name, country) select $1, 'Firm ' || n, 'Romania' from generate_series(1, 5100) n",
    [tenant.id],
  );
  const list = "/api/v1/companies";
  const many = await tenant.get(`${list}?updated_since=${begun}&sort=-name&search=firm&per_page=1`);
  assert.deepEqual([many.body.total, many.body.data[0].name], [5_100, "Firm 999"]);
  const walked = await tenant.get(`${list}?updated_since=${begun}&cursor=&per_page=2`);
  assert.deepEqual(
    walked.body.data.map(({ name }: { name: string }) => name),
    ["Old", "Firm 1"],
  );

  // Rows from before the history have no change.
  await server.sql("delete from changes where tenant_id = $1", [tenant.id]);
  await server.sql("delete from companies where tenant_id = $1 and id <> $2", [tenant.id, first]);
  assert.deepEqual(await idsOf(tenant, list, `updated_since=${begun}`), [first]);
  const [next] = await createAll(tenant, list, [{ name: "New" }]);
  assert.deepEqual(await idsOf(tenant, list, `updated_since=${begun}`), [first, next]);
  const later = (await showOf(tenant, list, next)).updated_at;
  assert.deepEqual(await idsOf(tenant, list, `updated_since=${later}`), [next]);
});

test("contacts are looked up by e-mail without case, and addresses by ids", async () => {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company"]);
  const contacts = `/api/v1/companies/${Company}/contacts`;
  const [a, b, c] = await createAll(tenant, contacts, [
    { first_name: "B", last_name: "B", email: "Ana@Firma.example" },
    { first_name: "A", last_name: "A", email: "ana@firma.example" },
    { first_name: "C", last_name: "C", email: "an\u00e1@firma.example" },
  ]);
  assert.deepEqual(await idsOf(tenant, contacts, "email=ANA@firma.example"), [b, a]);
  assert.deepEqual(await idsOf(tenant, contacts, "email=ANA@firma.example&search=b"), [a]);
  assert.deepEqual(await idsOf(tenant, contacts, `email=ANA@firma.example&ids=${b},${c}`), [b]);
  assert.deepEqual(await idsOf(tenant, contacts, "email=ana@firma"), []);
  assert.deepEqual(await idsOf(tenant, contacts, `ids=${c},${b}`), [b, c]);
  const { body: elsewhere } = await tenant.post("/api/v1/companies", { name: "Other" });
  assert.deepEqual(await idsOf(tenant, `/api/v1/companies/${elsewhere.data.id}/contacts`, `ids=${a}`), []);
  assert.deepEqual(
    await idsOf(tenant, `/api/v1/companies/${elsewhere.data.id}/contacts`, "email=ana@firma.example"),
    [],
  );

  const addresses = `/api/v1/companies/${Company}/addresses`;
  const [x, , z] = await createAll(tenant, addresses, [
    { address: "X" },
    { address: "Y" },
    { address: "Z", is_default: true },
  ]);
  assert.deepEqual(await idsOf(tenant, addresses, `ids=${x},${z}`), [z, x]);
  // Addresses have no look-up by e-mail.
  assert.equal((await tenant.get(`${addresses}?email=a@b.example`)).headers.get("x-query-ignored"), "email");
});

test("contacts and addresses of all companies are one list each, without those of deleted companies", async () => {
  const tenant = await server.createTenant();
  const companies = await createAll(tenant, "/api/v1/companies", [{ name: "A" }, { name: "B" }, { name: "C" }]);
  const stranger = await server.createTenant();
  const elsewhere = await make(stranger, ["Company", "Contact", "Address"]);
  const ids: Record<string, number[]> = { contacts: [], addresses: [] };
  for (const round of ["1", "2"]) {
    for (const company of companies) {
      for (const [noun, body] of [
        ["contacts", { first_name: `Z${round}`, last_name: "A", email: `x@firma.example`, is_primary: round === "2" }],
        ["addresses", { address: `Z${round}`, is_default: round === "2" }],
      ] as const) {
        ids[noun]?.push(...(await createAll(tenant, `/api/v1/companies/${company}/${noun}`, [body])));
      }
    }
  }
  for (const [noun, all] of Object.entries(ids)) {
    const list = `/api/v1/${noun}`;
    const [a, b, c, d, e] = all;
    assert.deepEqual(await idsOf(tenant, list, ""), all, "in ascending order");
    assert.deepEqual(await idsOf(tenant, list, "search=z2"), all.slice(3));
    assert.deepEqual(
      await idsOf(tenant, list, `ids=${e},${b},${Number(noun === "contacts" ? elsewhere.Contact : elsewhere.Address)}`),
      [b, e],
    );
    assert.deepEqual(await idsOf(tenant, list, `ids=${e},${b}&search=z1`), [b]);
    await tenant.put(`${list}/${c}`, { external: { erp: "1" } });
    assert.deepEqual(await idsOf(tenant, list, "external=erp:1"), [c]);
    const { updated_at: at } = await showOf(tenant, list, c);
    assert.deepEqual(await idsOf(tenant, list, `updated_since=${at}`), [c]);
    assert.deepEqual(await idsOf(tenant, list, "updated_since=2000-01-01T00:00:00Z&search=z2"), all.slice(3));
    const shown = await tenant.get(`${list}?ids=${c}&include=external`);
    const { company: _company, ...one } = (await tenant.get(`${list}/${c}?include=external`)).body.data;
    assert.deepEqual(shown.body.data, [one]);
    assert.deepEqual(
      (await tenant.get(`${list}?page=2&per_page=4`)).body.data.map(({ id }: { id: number }) => id),
      all.slice(4),
    );
    const { token } = await tenant.createKey({
      capabilities: [noun === "contacts" ? "contacts:read" : "addresses:read"],
    });
    assert.equal((await request(server.url, "GET", list, undefined, { token })).status, 200);
    const other = await tenant.createKey({ capabilities: ["companies:read"] });
    assert.equal((await request(server.url, "GET", list, undefined, { token: other.token })).status, 403);
    await tenant.delete(`${list}/${d}`);
    assert.deepEqual(
      await idsOf(tenant, list, ""),
      all.filter((id) => id !== d),
    );
    ids[noun] = [a, b, c, e, all[5]].map(Number);
  }
  assert.deepEqual(await idsOf(tenant, "/api/v1/contacts", "email=X@FIRMA.example"), ids.contacts);

  // A cursor that was given out before goes on without those of a company that was deleted meanwhile.
  const first = await tenant.get("/api/v1/contacts?per_page=1&cursor=");
  assert.equal((await tenant.get(`/api/v1/addresses?cursor=${first.body.next_cursor}`)).status, 422);
  await tenant.delete(`/api/v1/companies/${companies[1]}`);
  for (const [noun, [a, b, c, e, f]] of Object.entries(ids)) {
    assert.deepEqual(await idsOf(tenant, `/api/v1/${noun}`, ""), [a, c, f]);
    assert.deepEqual(await idsOf(tenant, `/api/v1/${noun}`, `ids=${b},${e},${f}`), [f]);
  }
  const rest = await tenant.get(`/api/v1/contacts?cursor=${first.body.next_cursor}`);
  assert.deepEqual(
    rest.body.data.map(({ id }: { id: number }) => id),
    [ids.contacts?.[2], ids.contacts?.[4]],
  );
});

test("invoices are looked up by number and ids, and filtered by status and wms_state", async () => {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company"]);
  const list = `/api/v1/companies/${Company}/invoices`;
  const [a, b, c] = await createAll(tenant, list, [
    { number: "F-1", issued_on: "2026-01-01", status: "paid" },
    { number: "f-1", issued_on: "2026-01-03" },
    { number: "F-2", issued_on: "2026-01-02" },
  ]);
  await server.sql("update invoices set wms_state = 'failed' where id = any($1)", [[a, c]]);
  assert.deepEqual(await idsOf(tenant, list, "number=F-1"), [a]);
  assert.deepEqual(await idsOf(tenant, list, "number=F-"), []);
  assert.deepEqual(await idsOf(tenant, list, `ids=${a},${b}`), [b, a]);
  assert.deepEqual(await idsOf(tenant, list, "wms_state=failed"), [c, a]);
  assert.deepEqual(await idsOf(tenant, list, "wms_state=not_sent"), [b]);
  assert.deepEqual(await idsOf(tenant, list, "wms_state=lost"), []);
  assert.deepEqual(await idsOf(tenant, list, "wms_state=failed&status=paid"), [a]);
  assert.deepEqual(await idsOf(tenant, list, "wms_state=failed&search=f-1"), [a]);
  assert.deepEqual(await idsOf(tenant, list, "wms_state=failed&status=paid&search=f"), [a]);
  assert.deepEqual(await idsOf(tenant, list, "wms_state=not_sent&status=paid"), []);
  assert.deepEqual(await idsOf(tenant, list, `wms_state=failed&ids=${b},${c}`), [c]);
  assert.deepEqual(await idsOf(tenant, list, "number=F-1&status=issued"), []);
  const { body: elsewhere } = await tenant.post("/api/v1/companies", { name: "Other" });
  assert.deepEqual(await idsOf(tenant, `/api/v1/companies/${elsewhere.data.id}/invoices`, "number=F-1"), []);
});

test("a search with more than 30 marks in a row finds nothing, since no stored text has them", async () => {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company", "Contact", "Invoice"]);
  const lists = ["companies", "contacts", `companies/${Company}/contacts`];
  for (const list of lists) {
    assert.deepEqual(await idsOf(tenant, `/api/v1/${list}`, `search=a${encodeURIComponent("\u0301".repeat(31))}`), []);
    assert.equal((await idsOf(tenant, `/api/v1/${list}`, "search=a")).length, 1, list);
  }
});
