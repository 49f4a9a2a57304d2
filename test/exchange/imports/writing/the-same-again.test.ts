import assert from "node:assert/strict";
import { test } from "node:test";
import { importReasonIn } from "../../../../src/exchange/imports/reasons.ts";
import type { TestTenant } from "../../../harness.ts";
import { startImportServer } from "../import-server.ts";

const server = await startImportServer();

async function tenantOf(csv = "name,tax_id\nAlfa SRL,RO1\n"): Promise<TestTenant> {
  const tenant = await server.createTenant();
  await server.importing(tenant, "companies", csv);
  return tenant;
}

const sentence = importReasonIn("en", { code: "thereAlready" });

const contactsOf = async (tenant: TestTenant) =>
  (await server.sql(
    "select first_name, last_name, email, job_title from contacts where tenant_id = $1 and deleted_at is null order by id",
    [tenant.id],
  )) as Record<string, string | null>[];

const companiesOf = async (tenant: TestTenant) =>
  (await server.sql(
    "select name, tax_id, city from companies where tenant_id = $1 and deleted_at is null order by id",
    [tenant.id],
  )) as Record<string, string | null>[];

test("a file of contacts that is imported again updates them, and the result has their number", async () => {
  const tenant = await tenantOf();
  const csv = (title: string) =>
    `company_tax_id,first_name,last_name,email,job_title\nRO1,Ana,Pop,ana@alfa.example,${title}\nRO1,Ion,Rus,,${title}\n`;
  assert.deepEqual(await server.importing(tenant, "contacts", csv("Buyer")), { created: 2, updated: 0, rejected: [] });
  const again = await server.importing(tenant, "contacts", csv("Head buyer"));
  assert.deepEqual(again, { created: 0, updated: 2, rejected: [], there_already: 2 });
  assert.deepEqual(
    (await contactsOf(tenant)).map(({ job_title }) => job_title),
    ["Head buyer", "Head buyer"],
  );
  const skipped = await server.importing(tenant, "contacts", csv("Director"), "--again", "skip");
  assert.deepEqual(skipped, {
    created: 0,
    updated: 0,
    rejected: [2, 3].map((line) => ({ line, errors: { row: [sentence] } })),
    there_already: 2,
  });
  assert.equal((await contactsOf(tenant))[0]?.job_title, "Head buyer");
  const added = await server.importing(tenant, "contacts", csv("Director"), "--again", "add");
  assert.deepEqual(added, { created: 2, updated: 0, rejected: [] });
  assert.match(
    await server.refused(tenant, "contacts", csv("x"), "--again", "no"),
    /--again must be update, add or skip/,
  );
});

test("a company without a fiscal id is the one of its name, which keeps its name and its fiscal id", async () => {
  const tenant = await tenantOf(
    "name,tax_id,city\nBeta Trans SRL,RO2,Iași\nGamma SRL,,Cluj\nDelta SRL,RO3,\nDelta SRL,RO4,\n",
  );
  const csv = "name,tax_id,city\nS.C. BETA TRANS S.R.L.,,Bacău\nGamma SRL,,Dej\nDelta SRL,,Deva\nNou SRL,,Arad\n";
  const { rejected, ...counts } = await server.importing(tenant, "companies", csv);
  assert.deepEqual(counts, { created: 1, updated: 2, there_already: 2 });
  assert.deepEqual(
    rejected.map(({ line, errors }) => [line, errors.row]),
    [[4, ["More than one company is called “Delta SRL”: use the fiscal id."]]],
  );
  const found = (await companiesOf(tenant)).map(({ name, tax_id, city }) => [name, tax_id, city]);
  assert.deepEqual(found, [
    ["Beta Trans SRL", "RO2", "Bacău"],
    ["Gamma SRL", null, "Dej"],
    ["Delta SRL", "RO3", null],
    ["Delta SRL", "RO4", null],
    ["Nou SRL", null, "Arad"],
  ]);
});

test("a file names one new record once: within a batch, between two batches, and by other spellings", async () => {
  const tenant = await tenantOf("name,tax_id\nAlfa SRL,RO1\n");
  const id = (await tenant.get("/api/v1/companies")).body.data[0].id;
  const others = Array.from({ length: 1_200 }, (_none, index) => `,RO1,First${index},Other,\n`).join("");
  const rows = [
    `${id},,Ana,Pop,ana@alfa.example\n`,
    `,ro 1,ANA,POP,ANA@alfa.example\n`,
    others,
    `${id},RO1,Ana,Pop,ana@alfa.example\n`,
    `,1,Ana Maria,Pop,ana@alfa.example\n`,
    `,1,Ana,Pop,\n`,
  ];
  const csv = `company_id,company_tax_id,first_name,last_name,email\n${rows.join("")}`;
  const { created, rejected } = await server.importing(tenant, "contacts", csv);
  assert.equal(created, 1_201);
  assert.deepEqual(
    rejected.map(({ line, errors }) => [line, errors.row?.[0]]),
    [3, 1204, 1205, 1206].map((line) => [line, "The row means the same record as row 2."]),
  );
});

test("a row that could not be written does not block a later one that means the same", async () => {
  const tenant = await tenantOf();
  const long = "x".repeat(300);
  const csv = `company_tax_id,first_name,last_name,job_title\nRO1,Ana,Pop,${long}\nRO1,Ana,Pop,Buyer\nRO1,Ana,Pop,Head\n`;
  const { created, rejected } = await server.importing(tenant, "contacts", csv);
  assert.equal(created, 1);
  assert.deepEqual(
    rejected.map(({ line }) => line),
    [2, 4],
  );
  assert.deepEqual(
    (await contactsOf(tenant)).map(({ job_title }) => job_title),
    ["Buyer"],
  );
});

test("in one file, a name without a fiscal id is the company above that has one, if only one has", async () => {
  const tenant = await server.createTenant();
  const csv = "name,tax_id\nAlfa SRL,RO1\nALFA,\nBeta SRL,RO2\nBeta SRL,RO3\nBeta,\nNou SRL,\nNou,\n";
  const { created, rejected } = await server.importing(tenant, "companies", csv);
  assert.equal(created, 4);
  assert.deepEqual(
    rejected.map(({ line, errors }) => [line, errors.row?.[0]]),
    [
      [3, "The row means the same record as row 2."],
      [6, "More than one company is called “Beta”: use the fiscal id."],
      [8, "The row means the same record as row 7."],
    ],
  );
});

test("an export updates by its ids, and says how many ids are of another workspace", async () => {
  const tenant = await tenantOf();
  await server.importing(
    tenant,
    "contacts",
    "company_tax_id,first_name,last_name,email\nRO1,Ana,Pop,ana@alfa.example\nRO1,Ion,Rus,\n",
  );
  const exported = await server.exporting(tenant, "contacts");
  const edited = exported.replace("ana@alfa.example", "ana.pop@alfa.example").replace("Rus", "Rusu");
  assert.deepEqual(await server.importing(tenant, "contacts", edited), { created: 0, updated: 2, rejected: [] });
  assert.deepEqual(
    (await contactsOf(tenant)).map(({ last_name, email }) => [last_name, email]),
    [
      ["Pop", "ana.pop@alfa.example"],
      ["Rusu", null],
    ],
  );
  const other = await server.createTenant();
  const companies = await server.exporting(tenant, "companies");
  const { stdout } = await server.run("import", "companies", "--tenant", other.slug, server.file(companies));
  assert.match(stdout, /^1 created, 0 updated, 0 rejected\.\nIds that mean no or another record here[^:]*: 1\.\n$/);
  const people = await server.importing(other, "contacts", exported);
  assert.equal(people.created, 2);
  assert.equal((await contactsOf(tenant)).length, 2);
});
