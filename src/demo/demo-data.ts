import type { Input } from "../platform/fields/fields.ts";
import type { RecordKind } from "../records/record.ts";
import { demoTable } from "./demo-table.ts";

/** A company of the demo tenant. `owner` is the index in `demoUsers` of whom it is assigned to. */
export type DemoCompany = {
  fields: Input;
  owner?: number;
  /** When it was created, and its contacts and addresses with it. */
  since?: string;
  /** The changes that a user (an index in `demoUsers`) made later. */
  changes?: { at: string; user: number; status?: string; notes?: string }[];
} & Partial<Record<"contacts" | "addresses" | "invoices" | RecordKind, Input[]>>;

export const demoTenant = { slug: "demo", name: "Demo Distribuție SRL", country: "Romania" };

export const demoAdmin = { email: "andreea.munteanu@demo.example", name: "Andreea Munteanu", role: "admin" };

export const demoUsers = [
  demoAdmin,
  { email: "mihai.dragomir@demo.example", name: "Mihai Dragomir", role: "member" },
  { email: "ilinca.sarbu@demo.example", name: "Ilinca Sârbu", role: "member" },
];

/**
 * The first companies of the demo, with what belongs to them, from the tables in data/. All of it is made up: no real tax id begins with a
 * zero, the 555 numbers are nobody's, and .example is no domain. The invoice of 2024 is from before the warehouse's host name was
 * kept: it is to be confirmed by hand before anything relies on it.
 */
export function demoCompanies(): DemoCompany[] {
  const linesOf = Map.groupBy(demoTable("invoice_lines"), ({ invoice_number: number }) => number);
  const belongings = Object.entries<Input[]>({
    contacts: demoTable("contacts"),
    addresses: demoTable("addresses"),
    invoices: demoTable("invoices").map((invoice) =>
      Object.assign(invoice, { lines: linesOf.get(invoice.number) ?? [] }),
    ),
    ...Object.groupBy(demoTable("records"), ({ kind }) => kind as RecordKind),
  });
  return demoTable("companies").map(({ owner, ...fields }) => {
    const own = belongings.map(([kind, rows]) => [kind, rows.filter((row) => row.company_tax_id === fields.tax_id)]);
    return Object.assign({ fields }, owner === undefined ? {} : { owner: Number(owner) }, Object.fromEntries(own));
  });
}
