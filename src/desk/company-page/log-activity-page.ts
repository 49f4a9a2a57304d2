import { logTyped } from "../../customers/activities/pages/log-typed.ts";
import { companyOf } from "../../customers/companies/pages/company-of.ts";
import type { Page } from "../../kit/web/page.ts";
import { companyPage } from "./show-page.ts";

/** POST /companies/{id}/activities: a note, a call, an e-mail or a meeting, with or without one of its contacts. */
export const logCompanyActivityPage: Page = async (deps, request) => {
  const id = String((await companyOf(deps, request)).id);
  const logged = await logTyped(deps, request, { company: id }, companyPage);
  return logged.refused ?? { to: `/companies/${id}`, notice: logged.notice };
};
