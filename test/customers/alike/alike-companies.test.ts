import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { startServer, type TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";

/** docs/contract.md 6.10. */
const server = await startServer();
runWorker(server);

async function company(tenant: TestTenant, fields: object): Promise<number> {
  const created = await tenant.post("/api/v1/companies", fields);
  assert.equal(created.status, 201, created.text);
  return created.body.data.id;
}

type Pair = { companies: { id: number; name: string }[]; evidence: string[]; sure: boolean };

/** The pairs by the names of their companies. */
async function pairsOf(tenant: TestTenant): Promise<Record<string, string>> {
  const { body } = await tenant.get("/api/v1/companies/alike");
  return Object.fromEntries(
    body.data.map(({ companies, evidence, sure }: Pair) => [
      companies.map(({ name }) => name).join(" = "),
      `${sure ? "sure" : "probable"}: ${evidence.join()}`,
    ]),
  );
}

test("pairs are found by their evidence, follow the companies, and can be refused and refused no more", async () => {
  const tenant = await server.createTenant();
  const a = await company(tenant, {
    name: "Panificația Brașov SA",
    tax_id: "RO23456",
    city: "Brașov",
    phone: "0268 555 010",
  });
  const b = await company(tenant, { name: "S.C. BRASOV PANIFICATIA S.A.", city: "brasov" });
  await company(tenant, { name: "Bread", tax_id: "23456 " });
  await company(tenant, { name: "Panificația Brașov", tax_id: "RO99999", phone: "0268555010", city: "Brașov" });
  await company(tenant, { name: "Panificatia Brasov SRL", city: "Cluj" });
  await company(tenant, {
    name: "Moara Nouă SRL",
    phone: "+40 722 123 456",
    email: "office@moara.example",
    city: "Arad",
  });
  await company(tenant, { name: "Moara Noua", phone: "0722123456", city: "Iași" });
  await company(tenant, { name: "Moara Noua II", email: "vanzari@moara.example", city: "Iași" });
  await company(tenant, { name: "Ana Pop", email: "ana@gmail.com", city: "Arad" });
  await company(tenant, { name: "Ana Popa", email: "popa@gmail.com", city: "Deva" });
  await company(tenant, { name: "Transporturi Vest", city: "Arad" });
  const typo = await company(tenant, { name: "Transportruri Vest SRL" });
  assert.deepEqual(await pairsOf(tenant), {
    "Panificația Brașov SA = Bread": "sure: tax_id",
    "Panificația Brașov SA = S.C. BRASOV PANIFICATIA S.A.": "probable: name",
    "S.C. BRASOV PANIFICATIA S.A. = Panificația Brașov": "probable: name",
    "Moara Nouă SRL = Moara Noua": "sure: phone,name",
    "Moara Nouă SRL = Moara Noua II": "probable: email_domain,name",
    "Moara Noua = Moara Noua II": "probable: name",
    "Transporturi Vest = Transportruri Vest SRL": "probable: name",
  });

  assert.equal((await tenant.put(`/api/v1/companies/${b}/not-alike/${a}`)).status, 200);
  await tenant.put(`/api/v1/companies/${typo}`, { name: "Vest Import" });
  const pairs = await pairsOf(tenant);
  assert.ok(!("Panificația Brașov SA = S.C. BRASOV PANIFICATIA S.A." in pairs));
  assert.ok(!("Transporturi Vest = Transportruri Vest SRL" in pairs));
  const history = (await tenant.get(`/api/v1/companies/${b}/history`)).body.data;
  assert.equal(history[0].changed.not_alike.to.id, a);
  assert.equal((await tenant.delete(`/api/v1/companies/${a}/not-alike/${b}`)).status, 200);
  assert.ok("Panificația Brașov SA = S.C. BRASOV PANIFICATIA S.A." in (await pairsOf(tenant)));

  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body } = await tenant.get(`/api/v1/companies/alike?per_page=2&cursor=${cursor}`);
    seen.push(...body.data.map(({ companies }: Pair) => companies.map(({ name }) => name).join(" = ")));
    cursor = body.next_cursor;
  }
  assert.deepEqual(seen.toSorted(), Object.keys(await pairsOf(tenant)).toSorted());
  await tenant.post(`/api/v1/companies/${a}/merge`, { from: b });
  assert.ok(!Object.keys(await pairsOf(tenant)).some((names) => names.includes("S.C. BRASOV")));
  const stranger = await server.createTenant();
  assert.equal((await stranger.put(`/api/v1/companies/${a}/not-alike/${b}`)).status, 404);
  assert.deepEqual(await pairsOf(stranger), {});
});

test("pairs follow a city, a phone, a deletion and a restoration, each alone", async () => {
  const tenant = await server.createTenant();
  const mill = await company(tenant, { name: "Moara Nouă SRL", city: "Arad" });
  const other = await company(tenant, { name: "Moara Noua" });
  const path = `/api/v1/companies/${other}`;
  const pair = "Moara Nouă SRL = Moara Noua";
  const steps: [change: () => Promise<{ status: number }>, evidence: string | undefined][] = [
    [async () => await tenant.put(path, { notes: "Closed" }), "probable: name"],
    [async () => await tenant.put(path, { city: "Deva" }), undefined],
    [async () => await tenant.put(path, { phone: "0722 123 456" }), undefined],
    [async () => await tenant.put(`/api/v1/companies/${mill}`, { phone: "+40 722 123 456" }), "sure: phone,name"],
    [async () => await tenant.delete(path), undefined],
    [async () => await tenant.post(`${path}/restore`, {}), "sure: phone,name"],
  ];
  for (const [change, evidence] of steps) {
    const { status } = await change();
    assert.equal(status, 200);
    assert.equal((await pairsOf(tenant))[pair], evidence);
  }
});

test("a change that is committed after later ones were compared is found a minute later, without another one", async () => {
  const tenant = await server.createTenant();
  await company(tenant, { name: "Moara Nouă SRL" });
  const other = await company(tenant, { name: "Moara Noua" });
  const pair = { "Moara Nouă SRL = Moara Noua": "probable: name" };
  const client = new pg.Client(server.connection);
  await client.connect();
  await client.query("begin");
  await client.query("update companies set name = 'Elsewhere' where id = $1", [other]);
  assert.deepEqual(await pairsOf(tenant), pair);
  const compareNow = async () =>
    await server.sql("update jobs set run_at = now() where tenant_id = $1 and kind = 'find-alike'", [tenant.id]);
  await compareNow();
  const waiting = "select from jobs where tenant_id = $1 and kind = 'find-alike' and state <> 'done'";
  await poll("the job of the first comparison", async () => (await server.sql(waiting, [tenant.id])).length === 0);
  // As if that transaction had lasted for three seconds.
  await server.sql(
    "update alike_progress set caught_up_at = caught_up_at + interval '3 seconds' where tenant_id = $1",
    [tenant.id],
  );
  await client.query("commit");
  await client.end();
  const renamed = { "Moara Nouă SRL = Elsewhere": "probable: name" };
  assert.deepEqual(await pairsOf(tenant), renamed);
  await compareNow();
  await poll("the comparison", async () => Object.keys(await pairsOf(tenant)).length === 0);
});

test("a dry run of a batch says which companies the new ones look like", async () => {
  const tenant = await server.createTenant();
  const bread = await company(tenant, { name: "Panificația Brașov SA", tax_id: "RO23456", phone: "0268 555 010" });
  const mill = await company(tenant, { name: "Moara Nouă SRL", email: "office@moara.example", city: "Arad" });
  // The keys of these names differ from those of the new ones: only the domain, or the phone, leads to them.
  const metal = await company(tenant, { name: "Metalica Deva", email: "a@metal.example", city: "Deva" });
  const clay = await company(tenant, { name: "Ceramica Olt", phone: "0249 555 010", city: "Olt" });
  const items = [
    { name: "BRASOV PANIFICATIA", phone: "+40 268 555 010" },
    { name: "Moara Noua", city: "ARAD", email: "x@moara.example" },
    { name: "Moara Noua", city: "Iași" },
    { name: "Panificatia Brasov", tax_id: "RO777", phone: "0268 555 010" },
    { id: bread, city: "Brașov" },
    { name: "" },
    { name: "Metalika Deva", email: "b@metal.example", city: "Arad" },
    { name: "Ceramika Olt", phone: "0249555010", city: "Arad" },
  ];
  const dry = await tenant.post("/api/v1/companies/batch", { items, dry_run: true });
  assert.deepEqual(
    dry.body.results.map(({ outcome, alike = null }: { outcome: string; alike: unknown }) => [outcome, alike]),
    [
      ["created", [{ id: bread, name: "Panificația Brașov SA", evidence: ["phone", "name"] }]],
      ["created", [{ id: mill, name: "Moara Nouă SRL", evidence: ["email_domain", "name"] }]],
      ["created", null],
      ["created", null],
      ["updated", null],
      ["rejected", null],
      ["created", [{ id: metal, name: "Metalica Deva", evidence: ["email_domain", "name"] }]],
      ["created", [{ id: clay, name: "Ceramica Olt", evidence: ["phone", "name"] }]],
    ],
    dry.text,
  );
  const done = await tenant.post("/api/v1/companies/batch", { items });
  assert.ok(!done.text.includes("alike"));
});

test("a dry run of a single company creates nothing, and says which companies it looks like", async () => {
  const tenant = await server.createTenant();
  const bread = await company(tenant, {
    name: "Panificația Brașov SA",
    tax_id: "RO23456",
    phone: "0268 555 010",
    external: { erp: "K1" },
  });
  const cursor = (await tenant.get("/api/v1/changes?limit=1000")).body.next;
  const headers = { "idempotency-key": "dry" };
  const fields = { name: " BRASOV PANIFICATIA ", phone: "+40 268 555 010", external: { erp: "K2" }, dry_run: true };
  for (const sent of [{}, { headers }, { headers }]) {
    const tried = await tenant.post("/api/v1/companies?include=external", fields, sent);
    const { id, name, country, external } = tried.body.data;
    assert.deepEqual(
      [tried.status, id, name, country, external, tried.headers.get("etag"), tried.body.alike],
      [
        200,
        0,
        "BRASOV PANIFICATIA",
        "Romania",
        { erp: "K2" },
        null,
        [{ id: bread, name: "Panificația Brașov SA", evidence: ["phone", "name"] }],
      ],
      tried.text,
    );
  }
  for (const [status, sent] of [
    [409, { name: "Bread", tax_id: "ro23456" }],
    [409, { name: "Bread", external: { erp: "K1" } }],
    [422, { name: "" }],
  ] as const) {
    const [dry, real] = [
      await tenant.post("/api/v1/companies", { ...sent, dry_run: true }),
      await tenant.post("/api/v1/companies", sent),
    ];
    assert.deepEqual([dry.status, dry.text], [status, real.text]);
  }
  const wrong = await tenant.post("/api/v1/companies", { name: "", dry_run: "maybe" });
  assert.deepEqual(Object.keys(wrong.body.errors), ["name", "dry_run"]);
  assert.equal((await tenant.post("/api/v1/companies", { name: "Moara", dry_run: "maybe" })).status, 422);
  assert.deepEqual((await tenant.post("/api/v1/companies", { name: "Moara", dry_run: true })).body.alike, []);
  assert.equal((await tenant.get("/api/v1/companies")).body.total, 1);
  assert.deepEqual((await tenant.get(`/api/v1/changes?after=${cursor}`)).body.data, []);
  assert.equal((await tenant.post("/api/v1/companies", { ...fields, dry_run: false })).status, 201);
});
