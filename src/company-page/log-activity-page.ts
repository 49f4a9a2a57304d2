import { newActivity } from "../activities/activity.ts";
import { logActivity } from "../activities/write-activity.ts";
import { companyOf } from "../companies/pages/company-of.ts";
import { errors } from "../errors.ts";
import { typedInput } from "../web/forms/typed.ts";
import { notice } from "../web/notice.ts";
import type { Page } from "../web/page.ts";
import { companyPage } from "./show-page.ts";

const NAMES = newActivity.fields.map(({ name }) => name);

/** POST /companies/{id}/activities: a note, a call, an e-mail or a meeting, with or without one of its contacts. */
export const logCompanyActivityPage: Page = async (deps, request) => {
  const { actor, form, language, session } = request;
  const id = String((await companyOf(deps, request)).id);
  const input = typedInput(newActivity.fields, form.input(NAMES), language);
  const said = { input, timeZone: session.workspace.timeZone };
  const logged = await logActivity(deps, actor, id, said);
  if (logged.outcome === "missing") throw errors.resourceMissing("Company", id);
  if (logged.outcome === "written") return { to: `/companies/${id}`, notice: notice("activity-logged") };
  const page = companyPage({ values: form.values(NAMES), errors: logged.messages });
  return { ...(await page(deps, request)), status: 422 };
};
