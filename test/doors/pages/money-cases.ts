import type { TestTenant } from "../../harness.ts";
import type { PageCase } from "./page-case.ts";

type Made = (tenant: TestTenant) => Promise<string | number>;

/** The rows of the pages about payments. The ids are of a new company and a new invoice. */
export function moneyCases(company: Made, invoice: (tenant: TestTenant) => Promise<{ id: number }>): PageCase[] {
  const ofCompany = (rest: string) => async (tenant: TestTenant) => `/companies/${await company(tenant)}/${rest}`;
  const payments = async (tenant: TestTenant) => `/invoices/${(await invoice(tenant)).id}/payments`;
  return [
    { page: "GET /companies/{id}/statement", of: ofCompany("statement") },
    { page: "GET /companies/{id}/statement/export", of: ofCompany("statement/export"), isFile: true },
    { page: "GET /companies/{id}/reminders", of: ofCompany("reminders") },
    { page: "GET /companies/{id}/promise", of: ofCompany("promise") },
    { page: "POST /companies/{id}/promise", of: ofCompany("promise"), form: { until: "2099-01-01" } },
    { page: "POST /money/remind", form: { id: "1" } },
    { page: "GET /money/reminders" },
    { page: "POST /money/reminders", form: { to: "company" } },
    { page: "GET /workspace/reminders" },
    { page: "POST /workspace/reminders", form: { language: "en" } },
    { page: "GET /money" },
    { page: "GET /money/export", isFile: true },
    { page: "GET /sales" },
    { page: "GET /sales/export", isFile: true },
    { page: "GET /invoices/{id}/payments", of: payments },
    { page: "POST /invoices/{id}/payments", of: payments, form: { amount: "1.50", means: "cash" } },
    {
      page: "POST /payments/{id}/delete",
      async of(tenant) {
        const { body } = await tenant.post(`/api/v1${await payments(tenant)}`, { amount: "1.50" });
        return `/payments/${body.data.id}/delete`;
      },
    },
  ];
}
