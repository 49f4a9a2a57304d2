import { activityWords } from "../../activities/activity-words.ts";
import { activity } from "../../activities/activity.ts";
import { logActivity } from "../../activities/log-activity.ts";
import { childOf } from "../../company-children/pages/noun.ts";
import { showChildPage } from "../../company-children/pages/show-page.ts";
import { errors } from "../../errors.ts";
import { html } from "../../web/html.ts";
import { notice, type NoticeWords } from "../../web/notice.ts";
import { ownPath } from "../../web/own-path.ts";
import type { Page } from "../../web/page.ts";
import { activitiesSection } from "./activities-section.ts";
import { contactNoun } from "./contact-noun.ts";

const NAMES = activity.fields.map(({ name }) => name);

const find = childOf(contactNoun);

/** POST /contacts/{id}/activities: `kind` (call, email, meeting) and a `note`. */
export const logActivityPage: Page = async (deps, request) => {
  const { actor, form } = request;
  const { id } = await find(deps, request);
  const logged = await logActivity(deps, actor, id, form.input(NAMES));
  if (logged.outcome === "missing") throw errors.resourceMissing(contactNoun.child.model, id);
  if (logged.outcome === "logged") {
    return { to: ownPath(form.get("back")) ?? `/contacts/${id}`, notice: notice("activity-logged") };
  }
  const refused = { note: form.get("note") ?? "", errors: logged.messages };
  const page = showChildPage({ ...contactNoun, sections: activitiesSection(refused) });
  return { ...(await page(deps, request)), status: 422 };
};

export const activityNotices: NoticeWords = {
  "activity-logged": (_values, language) => html`${activityWords[language].logged}`,
};
