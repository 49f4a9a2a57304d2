import type { TestTenant } from "../../harness.ts";
import type { PageCase } from "./page-case.ts";
import type { Visitor } from "./visitor.ts";

/** The rows of the pages of calls to come. */
export function callCases(company: (tenant: TestTenant) => Promise<string | number>): PageCase[] {
  const form = { due_on: "2031-02-03", about: "Ramp" };
  const calls = (rest: string) => async (tenant: TestTenant) => `/companies/${await company(tenant)}/calls${rest}`;
  const call = (rest: string) => async (tenant: TestTenant, who: Visitor) => {
    const id = await company(tenant);
    await tenant.put(`/api/v1/companies/${id}`, { callback_date: "2031-02-04" });
    const [, own = "999999999"] = /href="\/calls\/(\d+)"/.exec((await who.get(`/companies/${id}`)).text) ?? [];
    return `/calls/${own}${rest}`;
  };
  return [
    { page: "GET /companies/{id}/calls/new", of: calls("/new") },
    { page: "POST /companies/{id}/calls", of: calls(""), form },
    { page: "GET /calls/{id}", of: call("") },
    { page: "POST /calls/{id}", of: call(""), form },
    { page: "POST /calls/{id}/over", of: call("/over") },
    { page: "POST /calls/{id}/keep", of: call("/keep") },
  ];
}
