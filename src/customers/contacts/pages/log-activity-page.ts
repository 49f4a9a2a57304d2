import type { Page } from "../../../kit/web/page.ts";
import { logTyped } from "../../activities/pages/log-typed.ts";
import { childOf } from "../../company-children/pages/noun.ts";
import { showChildPage } from "../../company-children/pages/show-page.ts";
import { activitiesSection } from "./activities-section.ts";
import { contactNoun } from "./contact-noun.ts";

const find = childOf(contactNoun);

/** POST /contacts/{id}/activities: as at the company, with this contact. */
export const logActivityPage: Page = async (deps, request) => {
  const { id, companyId } = await find(deps, request);
  const of: [string, string] = [contactNoun.child.model, id];
  const logged = await logTyped(deps, request, { company: companyId, known: { contact_id: id }, of }, (form) =>
    showChildPage({ ...contactNoun, sections: activitiesSection(form) }),
  );
  return logged.refused ?? { to: `/contacts/${id}`, notice: logged.notice };
};
