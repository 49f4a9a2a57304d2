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

test("an address of the same company with the same street, postal code and city is not added again", async () => {
  const tenant = await tenantOf("name,tax_id\nAlfa SRL,RO1\nBeta SRL,RO2\n");
  const csv = (rows: string) => `company_tax_id,type,label,address,city,postal_code,contact_name\n${rows}`;
  const first = "RO1,delivery,Depozit,Strada Lungă 12,Brașov,500035,\nRO1,billing,,Strada Lungă 12,Brașov,500035,\n";
  const created = await server.importing(tenant, "addresses", csv(`${first}RO2,,,Str. Nouă 1/2,,,\n`));
  assert.deepEqual(created, { created: 3, updated: 0, rejected: [] });
  const again = await server.importing(
    tenant,
    "addresses",
    csv(`RO 1,delivery,Depozit, STRADA LUNGA 12 ,brasov,500035,Ana
RO1,billing,,Strada Lungă 12,Brașov,500035,Ion
RO2,other,,Str. Noua 1/2,,,Eva
RO2,other,,str. nouă 1/2,,,Dan
RO2,other,,Str. Nouă 1-2,,,Edi
RO2,,,Strada Lungă 12,Brașov,500035,Ali
RO1,delivery,Depozit,Strada Lungă 12,Brașov,500036,Oto
`),
  );
  const { rejected, ...counts } = again;
  assert.deepEqual(counts, { created: 3, updated: 3, there_already: 3 });
  assert.deepEqual(
    rejected.map(({ line }) => line),
    [5],
  );
  assert.deepEqual(
    await server.sql(
      "select type, address, city, contact_name from addresses where tenant_id = $1 and deleted_at is null order by id limit 3",
      [tenant.id],
    ),
    [
      { type: "delivery", address: "STRADA LUNGA 12", city: "brasov", contact_name: "Ana" },
      { type: "billing", address: "Strada Lungă 12", city: "Brașov", contact_name: "Ion" },
      { type: "other", address: "Str. Noua 1/2", city: null, contact_name: "Eva" },
    ],
  );
  const short = "company_tax_id,address,postal_code,city,phone\nRO1,Strada Lungă 12,500035,Brașov,0722 000 111\n";
  const shorter = await server.importing(tenant, "addresses", short);
  assert.deepEqual(shorter, { created: 0, updated: 1, rejected: [], there_already: 1 }, "without a type and a label");
  const added = await server.importing(tenant, "addresses", csv(first), "--again", "add");
  assert.deepEqual(added, { created: 2, updated: 0, rejected: [] });
});
