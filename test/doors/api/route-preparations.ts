import type { TestServer, TestTenant } from "../../harness.ts";
import { make, type Made, type Model } from "./resources.ts";
import type { Preparation, Refusal } from "./route-row.ts";

export const cursorInvalid: Refusal = async () => ({ cursor: "x" });

export const tooManyIds: Refusal = async () => ({ ids: Array.from({ length: 201 }, (_, index) => index + 1).join() });

export const feedCursorInvalid: Refusal = async () => ({ after: "x" });

export const feedTypeUnknown: Refusal = async () => ({ types: "companies" });

export const feedCursorTooOld: Refusal = async (server, tenant) => {
  await make(tenant, ["Company"]);
  const { body } = await tenant.get("/api/v1/changes");
  await server.sql("delete from feed where tenant_id = $1", [tenant.id]);
  return { after: body.next };
};

export const taxIdTaken: Refusal = async (_server, tenant) => {
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" });
  return { name: "B", tax_id: "ro1" };
};

export const deletedTaxIdTaken: Refusal = async (server, tenant, { Company }) => {
  await server.sql("update companies set tax_id = 'RO1' where id = $1", [Company]);
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" });
  return undefined;
};

export const numberTaken: Refusal = async (_server, tenant) => {
  const { Company } = await make(tenant, ["Company"]);
  await tenant.post(`/api/v1/companies/${Company}/invoices`, { number: "TAKEN" });
  return { number: "TAKEN" };
};

/** An external id of another resource, which is created at `path` with these fields. */
export function externalTaken(path: string, fields: object): Refusal {
  return async (_server, tenant) => {
    const { Company } = await make(tenant, ["Company"]);
    await tenant.post(path.replace("{company}", String(Company)), { ...fields, external: { erp: "TAKEN" } });
    return { ...fields, number: "OTHER", external: { erp: "TAKEN" } };
  };
}

export function having(model: Model): Preparation {
  const parents: Model[] = model === "Company" ? [] : ["Company"];
  return async (_server, tenant, made) =>
    await make(tenant, made.Company === undefined ? [...parents, model] : [model], { ...made });
}

/** An invoice with everything that a warehouse order can have, and one with as little. */
export async function correlateInvoices(server: TestServer, tenant: TestTenant, { Company }: Made): Promise<undefined> {
  await server.sql(
    `insert into invoices
      (tenant_id, company_id, number, wms_instance, wms_order_id, wms_order_number, wms_status, wms_synced_at)
    values ($1, $2, $3 || '-1', 'a.wms.example', 1, 'SO-1', 'shipped', now()), ($1, $2, $3 || '-2', null, 2, null, null, null)`,
    [tenant.id, Company, String(Company)],
  );
}

/** The company that a merge's body names: ids are a tenant's. */
export const MERGED = 4711;

export const mergeable: Preparation = async (server, tenant) => {
  await server.sql(
    `insert into companies (tenant_id, id, name, country) values ($1, $2, 'Twice', 'Romania')
    on conflict (tenant_id, id) do update set deleted_at = null, merged_into = null`,
    [tenant.id, MERGED],
  );
};

/** The contact that a merge's body names. */
export const MERGED_CONTACT = 4712;

export const mergeableContact: Preparation = async (server, tenant, { Contact }) => {
  await server.sql(
    `insert into contacts (tenant_id, id, company_id, first_name, last_name)
    select tenant_id, $2, company_id, 'Twice', 'Pop' from contacts where tenant_id = $1 and id = $3
    on conflict (tenant_id, id) do update set deleted_at = null, merged_into = null, company_id = excluded.company_id`,
    [tenant.id, MERGED_CONTACT, Contact],
  );
};

export const contactMergedAway: Refusal = async (server, tenant, made) => {
  const { Contact } = made;
  await server.sql("update contacts set deleted_at = null where id = $1", [Contact]);
  await mergeableContact(server, tenant, made);
  await tenant.post(`/api/v1/contacts/${MERGED_CONTACT}/merge`, { from: Contact });
  return undefined;
};

/** The deleted company was merged into another. */
export const mergedAway: Refusal = async (server, tenant, { Company }) => {
  const other = await make(tenant, ["Company"]);
  await server.sql("update companies set deleted_at = null where id = $1", [Company]);
  await tenant.post(`/api/v1/companies/${other.Company}/merge`, { from: Company });
  return undefined;
};

export const undone: Refusal = async (_server, tenant, { Merge }) => {
  await tenant.post(`/api/v1/merges/${Merge}/undo`);
  return undefined;
};

export const mergedTaxIdTaken: Refusal = async (server, tenant, { Merge }) => {
  await server.sql(
    "update companies set tax_id = 'RO1' where tenant_id = $1 and id = (select from_id from merges where tenant_id = $1 and id = $2)",
    [tenant.id, Merge],
  );
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" });
  return undefined;
};
