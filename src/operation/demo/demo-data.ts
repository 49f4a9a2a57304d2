import type { RecordKind } from "../../customers/records/record.ts";
import { demoAdmin } from "../../people/sign-in/demo-sign-in.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { demoTable } from "./demo-table.ts";

/** A company of the demo tenant. `owner` is its owner's index in `demoUsers`. */
export type DemoCompany = {
  fields: Input;
  owner?: number;
  /** The creation time, also of its contacts and addresses. */
  since?: string;
  /** Later changes by a user (an index in `demoUsers`). */
  changes?: { at: string; user: number; status?: string; notes?: string }[];
} & Partial<Record<"contacts" | "addresses" | "invoices" | RecordKind, Input[]>>;

export const demoUsers = [
  demoAdmin,
  { email: "mihai.dragomir@demo.example", name: "Mihai Dragomir", role: "member" },
  { email: "ilinca.sarbu@demo.example", name: "Ilinca Sârbu", role: "member" },
  { email: "radu.marin@demo.example", name: "Radu Marin", role: "member", deactivated_at: "2026-10-30T16:00:00Z" },
];

/** The user who has left (an index in `demoUsers`). The users before wrote all activities. */
export const DEMO_LEAVER = 3;

/** The terms of a company, by its fiscal id. It owes less than its limit, so no question comes before its orders. */
export const demoTerms = { taxId: "RO234567", days: 14, limit: "15000" };

/** Calls to come. Days count from today; `for` is a user (an index in `demoUsers`), null the company's owner. */
export const demoCalls = [
  { taxId: "RO123453", days: 0, about: "Is ramp 3 open on Fridays again?", invoice: "DMO-2026-0117", for: 2 },
  { taxId: "RO123453", days: 9, about: "Prices from January", invoice: null, for: null },
  { taxId: "RO234567", days: 2, about: "Stop the order in the warehouse", invoice: "DMO-2026-0209", for: 1 },
];

/** A promise to pay whose day is over. Days count from today. */
export const demoPromise = {
  taxId: "RO2005560",
  days: -4,
  note: "Pays when its guests of the conference have paid.",
};

/** The firm of the demo, as its invoices print it. */
export const demoFirm = {
  tax_id: "RO19000192",
  registration_number: "J12/19/2015",
  address: "Strada Depozitelor 7, Cluj-Napoca",
  phone: "+40 264 555 000",
  email: "facturare@demo.example",
  iban: "RO49AAAA1B31007593840000",
  bank: "Banca Exemplu",
};

/** The number of a cancelled invoice of the demo, and of the one that corrects it. */
export const demoCorrection = { wrong: "DMO-2026-0138", right: "DMO-2026-0139" };

/**
 * The first companies of the demo with their related resources, from the tables in data/. All of it is invented: no
 * real tax id begins with a zero, the 555 numbers are unassigned, and .example is no domain. The invoice of 2024 is
 * older than the stored host name of its warehouse, so it must be confirmed by hand.
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
