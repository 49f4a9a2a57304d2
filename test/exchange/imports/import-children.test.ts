import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestTenant } from "../../harness.ts";
import { startImportServer } from "./import-server.ts";

const server = await startImportServer();

async function companyOf(tenant: TestTenant, taxId: string | null): Promise<number> {
  const { body } = await tenant.post("/api/v1/companies", { name: `Company ${taxId}`, tax_id: taxId });
  return body.data.id;
}

test("contacts and addresses find their company by its id, by its tax id, or by both", async () => {
  const tenant = await server.createTenant();
  const id = await companyOf(tenant, "RO1");
  const contacts = [
    "company_id,company_tax_id,first_name,last_name,mobile,is_primary,is_decision_maker,preferred_language",
    `${id},,Ana,Pop,0722,true,FALSE,`,
    ", ro1 ,Ion,Rus,,0,1,en",
    `${id},RO1,Eva,Dan,,,,`,
  ];
  assert.deepEqual(await server.importing(tenant, "contacts", contacts.join("\n")), {
    created: 3,
    updated: 0,
    rejected: [],
  });
  const { body } = await tenant.get(`/api/v1/companies/${id}/contacts`);
  assert.deepEqual(
    body.data.map((contact: Record<string, unknown>) => [
      contact.full_name,
      contact.mobile,
      contact.is_primary,
      contact.is_decision_maker,
      contact.preferred_language,
    ]),
    [
      ["Ana Pop", "0722", true, false, "ro"],
      ["Eva Dan", null, false, false, "ro"],
      ["Ion Rus", null, false, true, "en"],
    ],
  );
  const addresses = "company_tax_id,address,type\nRO1,Strada 1,delivery\nRO1,Strada 2,\n";
  assert.equal((await server.importing(tenant, "addresses", addresses)).created, 2);
  const listed = await tenant.get(`/api/v1/companies/${id}/addresses`);
  assert.deepEqual(
    listed.body.data.map(({ type, country }: Record<string, unknown>) => [type, country]),
    [
      ["delivery", "Romania"],
      ["other", "Romania"],
    ],
  );
});

test("a company that is missing, deleted or another tenant's is invalid, and so are two that disagree", async () => {
  const tenant = await server.createTenant();
  const other = await server.createTenant();
  const id = await companyOf(tenant, "RO1");
  await companyOf(tenant, "RO2");
  const foreign = await companyOf(other, "RO9");
  const deleted = await companyOf(tenant, "RO3");
  await tenant.delete(`/api/v1/companies/${deleted}`);
  const rows = [
    "title,company_id,company_tax_id",
    "none,,",
    `foreign,${foreign},`,
    "foreign,,RO9",
    `deleted,${deleted},`,
    "deleted,,RO3",
    `disagree,${id},RO2`,
    "word,x,",
    ",x,",
    `,${id},`,
    `good,${id},RO1`,
  ];
  const { created, rejected } = await server.importing(tenant, "deals", rows.join("\n"));
  assert.equal(created, 1);
  const idInvalid = { company_id: ["The selected company id is invalid."] };
  const taxIdInvalid = { company_tax_id: ["The selected company tax id is invalid."] };
  const notInteger = ["The company id field must be an integer."];
  const untitled = ["The number field is required when title is not present."];
  assert.deepEqual(
    rejected.map(({ line, errors }) => [line, errors]),
    [
      [2, { company_id: ["The company id field is required."] }],
      [3, idInvalid],
      [4, taxIdInvalid],
      [5, idInvalid],
      [6, taxIdInvalid],
      [7, taxIdInvalid],
      [8, { company_id: notInteger }],
      [9, { company_id: notInteger, number: untitled }],
      [10, { number: untitled }],
    ],
  );
});

test("each of the five kinds keeps its company from being deleted once it is imported", async () => {
  const tenant = await server.createTenant();
  const id = await companyOf(tenant, "RO1");
  const kinds = ["subscriptions", "tickets", "deals", "offers", "invoices"];
  for (const kind of kinds) {
    const csv = "company_tax_id,number,status,amount,currency,starts_on,ends_on\nRO1,N1,,12.50,RON,2026-01-01,\n";
    assert.equal((await server.importing(tenant, kind, csv)).created, 1, kind);
  }
  const { status, body } = await tenant.delete(`/api/v1/companies/${id}`);
  assert.equal(status, 422);
  assert.equal(body.details, "Blocked by: invoices, offers, deals, tickets, subscriptions.");
});

test("an invoice of a known number is updated; its warehouse order is listed with its microseconds", async () => {
  const tenant = await server.createTenant();
  const id = await companyOf(tenant, "RO1");
  const second = await companyOf(tenant, "RO2");
  const created = await server.importing(
    tenant,
    "invoices",
    "number,company_tax_id,issued_on,total,wms_instance,wms_order_id,wms_order_number,wms_status,wms_synced_at\n" +
      "F1,RO1,2026-11-01,100.50,wms.example,77,W-77,picked,2026-11-20T11:15:00.123456+02:00\n" +
      "F2,RO1,2026-11-01,-3,,,,,\n" +
      "F3,RO1,2026-13-01,1e3,,0,,,yesterday\n",
  );
  assert.deepEqual(created, {
    created: 2,
    updated: 0,
    rejected: [
      {
        line: 4,
        errors: {
          issued_on: ["The issued on field must be a valid date."],
          total: ["The total field must be a number."],
          wms_order_id: ["The wms order id field must be at least 1."],
          wms_synced_at: ["The wms synced at field must be a valid date and time."],
        },
      },
    ],
  });
  const updated = await server.importing(
    tenant,
    "invoices",
    "number,wms_status,status\nF1,shipped,paid\nF1,packed,paid\n",
  );
  assert.deepEqual(updated, { created: 0, updated: 2, rejected: [] });
  const { body } = await tenant.get(`/api/v1/companies/${id}/wms-orders`);
  assert.deepEqual(
    body.data.map(({ crm_invoice_number, wms }: Record<string, unknown>) => ({ crm_invoice_number, wms })),
    [
      {
        crm_invoice_number: "F1",
        wms: {
          instance: "wms.example",
          order_id: 77,
          order_number: "W-77",
          status: "packed",
          synced_at: "2026-11-20T09:15:00.123456Z",
        },
      },
    ],
  );
  const moved = await server.importing(tenant, "invoices", "number,company_id\nF2," + second + "\nF9,\n");
  assert.deepEqual(moved.rejected, [{ line: 3, errors: { company_id: ["The company id field is required."] } }]);
  assert.equal((await tenant.get(`/api/v1/companies/${second}/invoices`)).body.data[0].number, "F2");
  const orphan = await server.importing(tenant, "invoices", "number\nF9\n");
  assert.deepEqual(orphan.rejected, [{ line: 2, errors: { company_id: ["The company id field is required."] } }]);
});

test("a company that is deleted while its contacts are imported gets none", async () => {
  const tenant = await server.createTenant();
  const id = await companyOf(tenant, "RO1");
  const lock = await server.locking(`update companies set deleted_at = now() where id = ${id}`);
  const importing = server.importing(tenant, "contacts", `company_id,first_name,last_name\n${id},Ana,Pop\n`);
  await lock.blocking();
  await lock.release();
  const { created, rejected } = await importing;
  assert.equal(created, 0);
  assert.deepEqual(rejected, [{ line: 2, errors: { company_id: ["The selected company id is invalid."] } }]);
});
