import { randomUUID } from "node:crypto";
import type { Capability } from "../../../src/people/api-keys/capability.ts";
import type { TestTenant } from "../../harness.ts";

/** A tool as docs/agents.md promises it. */
export type SpecifiedTool = {
  name: string;
  /** The capabilities of which one is enough; empty: any key. */
  oneOf: readonly Capability[];
  isReadOnly: boolean;
  /** Arguments that succeed for a workspace with these resources. */
  given: (there: Resources) => Record<string, unknown>;
};

export type Resources = {
  company: number;
  other: number;
  contact: number;
  address: number;
  invoice: number;
  etag: string;
};

/** A company with a contact and an address, and another company with an invoice that can be sent. */
export async function makeResources(tenant: TestTenant): Promise<Resources> {
  const make = async (path: string, body: object): Promise<number> =>
    (await tenant.post(`/api/v1/${path}`, body)).body.data.id;
  const company = await make("companies", { name: "Alfa Foods", tax_id: `RO${randomUUID().slice(0, 8)}` });
  const contact = await make(`companies/${company}/contacts`, { first_name: "Ana", last_name: "Pop" });
  const address = await make(`companies/${company}/addresses`, { address: "Strada Fabricii 12", city: "Turda" });
  const other = await make("companies", { name: "Beta Foods" });
  const number = `F-${randomUUID()}`;
  const lines = [{ description: "Pallet", quantity: "2", unit_price: "10.50" }];
  const invoice = await make(`companies/${other}/invoices`, { number, total: "21.00", lines });
  const etag = (await tenant.get(`/api/v1/companies/${company}`)).headers.get("etag") ?? "";
  return { company, other, contact, address, invoice, etag };
}

const request = () => ({ request_id: randomUUID() });

/** Every tool, and what it needs. */
export const specifiedTools: readonly SpecifiedTool[] = [
  { name: "whoami", oneOf: [], isReadOnly: true, given: () => ({}) },
  {
    name: "find",
    oneOf: ["companies:read", "contacts:read", "invoices:read"],
    isReadOnly: true,
    given: () => ({ query: "alfa" }),
  },
  { name: "search_companies", oneOf: ["companies:read"], isReadOnly: true, given: () => ({ search: "foods" }) },
  { name: "get_company", oneOf: ["companies:read"], isReadOnly: true, given: ({ company }) => ({ id: company }) },
  {
    name: "upsert_company",
    oneOf: ["companies:write"],
    isReadOnly: false,
    given: () => ({ ...request(), name: "Gamma" }),
  },
  { name: "get_contact", oneOf: ["contacts:read"], isReadOnly: true, given: ({ contact }) => ({ id: contact }) },
  {
    name: "upsert_contact",
    oneOf: ["contacts:write"],
    isReadOnly: false,
    given: ({ contact }) => ({ ...request(), id: contact, position: "Buyer" }),
  },
  { name: "list_invoices", oneOf: ["invoices:read"], isReadOnly: true, given: ({ company }) => ({ company }) },
  { name: "get_invoice", oneOf: ["invoices:read"], isReadOnly: true, given: ({ invoice }) => ({ id: invoice }) },
  {
    name: "upsert_invoice",
    oneOf: ["invoices:write"],
    isReadOnly: false,
    given: ({ invoice }) => ({ ...request(), id: invoice, due_on: "2027-01-31" }),
  },
  {
    name: "send_invoice",
    oneOf: ["wms-orders:write"],
    isReadOnly: false,
    given: ({ invoice }) => ({ ...request(), id: invoice }),
  },
  {
    name: "cancel_order",
    oneOf: ["wms-orders:write"],
    isReadOnly: false,
    given: ({ invoice }) => ({ ...request(), id: invoice }),
  },
  {
    name: "record_payment",
    oneOf: ["payments:write"],
    isReadOnly: false,
    given: ({ invoice }) => ({ ...request(), invoice, amount: "1.50" }),
  },
  { name: "sales_report", oneOf: ["reports:read"], isReadOnly: true, given: () => ({ period: "year" }) },
  { name: "who_owes", oneOf: ["reports:read"], isReadOnly: true, given: () => ({ overdue: true }) },
  { name: "explain_order", oneOf: ["wms-orders:read"], isReadOnly: true, given: ({ invoice }) => ({ invoice }) },
  {
    name: "history",
    oneOf: ["companies:read", "contacts:read", "addresses:read", "invoices:read"],
    isReadOnly: true,
    given: ({ company }) => ({ type: "company", id: company }),
  },
  { name: "recent_changes", oneOf: ["changes:read"], isReadOnly: true, given: () => ({}) },
  {
    name: "log_activity",
    oneOf: ["companies:write"],
    isReadOnly: false,
    given: ({ company }) => ({ ...request(), company, kind: "note", note: "Prefers mornings" }),
  },
  {
    name: "preview_batch",
    oneOf: ["companies:write", "contacts:write", "addresses:write", "invoices:write"],
    isReadOnly: true,
    given: () => ({ kind: "companies", items: [{ name: "Delta" }] }),
  },
  {
    name: "apply_batch",
    oneOf: ["companies:write", "contacts:write", "addresses:write", "invoices:write"],
    isReadOnly: false,
    given: () => ({ ...request(), preview: "none" }),
  },
  {
    name: "delete_company",
    oneOf: ["companies:write"],
    isReadOnly: false,
    given: ({ company, etag }) => ({ ...request(), id: company, etag }),
  },
  {
    name: "restore_company",
    oneOf: ["companies:write"],
    isReadOnly: false,
    given: ({ company }) => ({ ...request(), id: company }),
  },
  {
    name: "merge_companies",
    oneOf: ["companies:write"],
    isReadOnly: false,
    given: ({ company, other }) => ({ ...request(), id: company, from: other }),
  },
];
