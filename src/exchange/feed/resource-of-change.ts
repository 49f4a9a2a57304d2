import { address } from "../../customers/addresses/address.ts";
import { companyWithCountsJson, includedInCompany } from "../../customers/companies/company-json.ts";
import { findCompany } from "../../customers/companies/company-queries.ts";
import { childJson } from "../../customers/company-children/child-json.ts";
import { childQueries } from "../../customers/company-children/child-queries.ts";
import type { Child } from "../../customers/company-children/child.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { definitionJson } from "../../customers/custom-fields/custom-field-json.ts";
import { findDefinition } from "../../customers/custom-fields/custom-field-queries.ts";
import { customNouns } from "../../customers/custom-fields/custom-field.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import type { changeOf } from "../../kit/changes/change-queries.ts";
import type { ChangeType } from "../../kit/changes/change.ts";
import type { Store } from "../../kit/deps.ts";
import { withMembers } from "../../kit/endpoint.ts";
import { includedInInvoice, invoiceWithCompanyJson } from "../../orders/invoices/invoice-json.ts";
import { findInvoice } from "../../orders/invoices/invoice-queries.ts";
import { includedInPayment, paymentJson } from "../../orders/payments/payment-json.ts";
import { findPayment } from "../../orders/payments/payment-queries.ts";
import type { Capability } from "../../people/api-keys/capability.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import { NO_CUSTOM_FIELDS, type WithCustom } from "../../platform/fields/custom.ts";
import type { Query } from "../../platform/http/lists/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

type Reader = {
  capability: Capability;
  find: (tenant: TenantId, database: Database, id: string) => Promise<Row | null>;
  json: (row: Row, secrets: Secrets & WithCustom) => string;
  /** The further members that a query asks for. */
  included: (query: Query) => (row: Row) => string;
};

const readers: Readonly<Record<ChangeType, Reader>> = {
  company: {
    capability: "companies:read",
    find: findCompany,
    json: companyWithCountsJson,
    included: includedInCompany,
  },
  contact: { capability: "contacts:read", ...childReader(contact) },
  address: { capability: "addresses:read", ...childReader(address) },
  invoice: {
    capability: "invoices:read",
    find: findInvoice,
    json: invoiceWithCompanyJson,
    included: includedInInvoice,
  },
  payment: { capability: "payments:read", find: findPayment, json: paymentJson, included: includedInPayment },
  custom_field: {
    capability: "custom-fields:read",
    find: findDefinition,
    json: definitionJson,
    included: () => () => "",
  },
};

function childReader(child: Child): Omit<Reader, "capability"> {
  const [queries, json] = [childQueries(child), childJson(child)];
  return {
    find: async (...args) => await queries.find(...args),
    json: (row, secrets) => json.withCompany(row, secrets),
    included: json.included,
  };
}

/** The capability that reading the resources of a type needs. */
export function capabilityToRead(type: ChangeType): Capability {
  return readers[type].capability;
}

/** The resource of a change as GET answers it now, to a query or to none; null if it is gone. */
export async function resourceOfChange(
  { database, keyring }: Store,
  tenant: TenantId,
  { type, resourceId }: ReturnType<typeof changeOf>,
  query: Query | null = null,
): Promise<string | null> {
  const { find, json, included } = readers[type];
  const row = await find(tenant, database, resourceId);
  if (row === null) return null;
  const noun = customNouns.find((each) => each === type);
  const custom = noun === undefined ? NO_CUSTOM_FIELDS : await customTable(tenant, database, noun);
  const further = query === null ? "" : included(query)(row);
  return withMembers(json(row, { keyring, tenant, custom }), further);
}
