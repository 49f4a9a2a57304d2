import { newActivity } from "../../activities/activity.ts";
import { logActivity } from "../../activities/write-activity.ts";
import { childOf } from "../../company-children/pages/noun.ts";
import { showChildPage } from "../../company-children/pages/show-page.ts";
import { errors } from "../../errors.ts";
import { typedInput } from "../../web/forms/typed.ts";
import { notice } from "../../web/notice.ts";
import type { Page } from "../../web/page.ts";
import { activitiesSection } from "./activities-section.ts";
import { contactNoun } from "./contact-noun.ts";

const NAMES = newActivity.fields.map(({ name }) => name).filter((name) => name !== "contact_id");

const find = childOf(contactNoun);

/** POST /contacts/{id}/activities: as at the company, with this contact. */
export const logActivityPage: Page = async (deps, request) => {
  const { actor, form, language, session } = request;
  const { id, companyId } = await find(deps, request);
  const input = { ...typedInput(newActivity.fields, form.input(NAMES), language), contact_id: id };
  const logged = await logActivity(deps, actor, companyId, { input, timeZone: session.workspace.timeZone });
  if (logged.outcome === "missing") throw errors.resourceMissing(contactNoun.child.model, id);
  if (logged.outcome === "written") {
    return { to: `/contacts/${id}`, notice: notice("activity-logged") };
  }
  const page = showChildPage({
    ...contactNoun,
    sections: activitiesSection({ values: form.values(NAMES), errors: logged.messages }),
  });
  return { ...(await page(deps, request)), status: 422 };
};
