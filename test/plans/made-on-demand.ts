import { address } from "../../src/customers/addresses/address.ts";
import { companyBulk } from "../../src/customers/companies/company-bulk-queries.ts";
import { childRemoval } from "../../src/customers/company-children/child-bulk-queries.ts";
import { contact } from "../../src/customers/contacts/contact.ts";
import { kindNames, kindOf } from "../../src/exchange/imports/kinds.ts";
import { analyzeGrown } from "../../src/kit/bulk-queries.ts";
import { findExternalIds } from "../../src/kit/external-ids/external-id-queries.ts";
import { enqueueSelected, moveSelected } from "../../src/kit/jobs/job-queries.ts";
import { encryptedTables } from "../../src/operation/encryption/encrypted-tables.ts";
import { replaceValues, staleRows } from "../../src/operation/encryption/encrypted-value-queries.ts";
import { afterConnecting } from "../../src/orders/wms/connection/after-connecting-queries.ts";
import { findTenantUsage, listTenantUsage } from "../../src/people/operators/tenant-usage-queries.ts";
import type { TestServer } from "../harness.ts";

/** Has the program make the statements that it makes no sooner than somebody asks for what they do. */
export async function makeStatements(server: TestServer): Promise<void> {
  const { database } = server.deps;
  const tenant = await server.createTenant();
  const { body } = await tenant.post("/api/v1/companies", { name: "A", status: "active" });
  await tenant.put(`/api/v1/companies/${body.data.id}`, { name: "B" });
  // Lines stand in their invoices' rows.
  for (const { bulk, writes } of kindNames.filter((name) => name !== "invoice_lines").map(kindOf)) {
    writes.update(bulk.fields.map(({ name }) => name));
  }
  for (const field of ["name", "notes"]) companyBulk.stored([field]);
  for (const table of ["companies", "contacts", "addresses", "invoices"]) findExternalIds(table);
  for (const child of [contact, address]) childRemoval(child);
  await analyzeGrown(database, companyBulk, -1);
  for (const table of encryptedTables) {
    await staleRows(tenant.id, database, table, "1").next();
    await replaceValues(tenant.id, database, table, []);
  }
  const select = (text: string) => ({ name: "chosen", text });
  enqueueSelected(
    "send",
    select("select i.id as subject, 'k7' as lane from invoices i where i.tenant_id = $1 and i.id = $3"),
  );
  moveSelected(
    "send",
    "k7",
    select("select i.id as subject from invoices i where i.tenant_id = $1 and i.company_id = $4"),
  );
  for (const company of ["1", null]) afterConnecting(company, { subdomain: "nord", instance: null });
  await listTenantUsage(database, 1);
  await findTenantUsage(database, tenant.slug);
}
