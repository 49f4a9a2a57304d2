import type { TestTenant } from "../../harness.ts";
import type { PageCase } from "./page-case.ts";

type Made = (tenant: TestTenant) => Promise<string | number>;

/** The rows of the pages by which a person ends what waits. The ids are of a new company and a new invoice. */
export function needCases(company: Made, invoice: (tenant: TestTenant) => Promise<{ id: number }>): PageCase[] {
  const ofInvoice = (rest: string) => async (tenant: TestTenant) => `/invoices/${(await invoice(tenant)).id}/${rest}`;
  return [
    { page: "POST /today/send-all", form: { through: "9" } },
    { page: "POST /today/columns", form: { column: "needs" } },
    { page: "POST /today/hide-steps" },
    {
      page: "POST /companies/{id}/called",
      of: async (tenant) => `/companies/${await company(tenant)}/called`,
      form: { note: "Said" },
    },
    { page: "POST /invoices/{id}/check", of: ofInvoice("check") },
    { page: "POST /invoices/{id}/put-off", of: ofInvoice("put-off"), form: { days: "3" } },
    { page: "POST /invoices/{id}/not-an-order", of: ofInvoice("not-an-order") },
  ];
}
