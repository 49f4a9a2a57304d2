import type { Deps } from "../../../kit/deps.ts";
import { idOf } from "../../../kit/endpoint.ts";
import { errors } from "../../../kit/errors.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { day, localMoment, type Language } from "../../../kit/web/language.ts";
import { notice, type NoticeWords } from "../../../kit/web/notice.ts";
import type { Page, PageRequest } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { parseDate } from "../../../platform/dates.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { isId } from "../../../platform/ids.ts";
import { contactsToChoose, findActivity, type Activity } from "../activity-queries.ts";
import { activityWords } from "../activity-words.ts";
import { activity } from "../activity.ts";
import { deleteActivity, editActivity } from "../write-activity.ts";
import { activityErrors, contactChoice, kindChoice, momentField, noteField, type RefusedActivity } from "./composer.ts";

const NAMES = activity.fields.map(({ name }) => name);

/** GET /activities/{id}: the user's own activity, to edit or delete. Another user's is a 404. */
export const activityPage: Page = async (deps, request) => await shown(deps, request, null);

/** POST /activities/{id} */
export const mendActivityPage: Page = async (deps, request) => {
  const { actor, form, session } = request;
  const id = idOf("Activity", request);
  const said = { input: form.input(NAMES), timeZone: session.workspace.timeZone };
  const written = await editActivity(deps, actor, id, said);
  if (written.outcome === "missing") throw errors.resourceMissing("Activity", id);
  if (written.outcome === "written")
    return { to: `/companies/${written.companyId}`, notice: notice("activity-mended") };
  return { ...(await shown(deps, request, { values: form.values(NAMES), errors: written.messages })), status: 422 };
};

/** POST /activities/{id}/delete */
export const deleteActivityPage: Page = async (deps, request) => {
  const id = idOf("Activity", request);
  const companyId = await deleteActivity(deps, request.actor, id);
  if (companyId === null) throw errors.resourceMissing("Activity", id);
  return { to: `/companies/${companyId}`, notice: notice("activity-deleted") };
};

/** The lines that the next page shows after one was written. */
export const activityNotices: NoticeWords = {
  "activity-logged": ({ call = "", date = "", by = "" }, language) => {
    const words = activityWords[language];
    if (!isId(call) || parseDate(date) === null) return html`${words.logged}`;
    return html`${words.logged} ${words.replaces(by, day(language, date))} <form method="post" action="/calls/${call}/keep"><button class="link">${words.keepBoth}</button></form>`;
  },
  "activity-mended": (_values, language) => html`${activityWords[language].mended}`,
  "activity-deleted": (_values, language) => html`${activityWords[language].deleted}`,
};

async function shown({ database }: Deps, request: PageRequest, refused: RefusedActivity | null) {
  const { actor, language, session } = request;
  const id = idOf("Activity", request);
  const found = await findActivity(actor.tenant, database, id);
  if (found === null || found.changedBy !== changedBy(actor)) throw errors.resourceMissing("Activity", id);
  const contacts = await contactsToChoose(actor.tenant, database, found.companyId, null);
  const title = activityWords[language].mendTitle;
  const stored = {
    kind: found.kind,
    note: found.note ?? "",
    contact_id: found.contact?.id ?? "",
    at: localMoment(found.at, session.workspace.timeZone),
  };
  const values = refused?.values ?? stored;
  const main = html`<a class="back" href="/companies/${found.companyId}">${icon("back")}${found.companyName}</a>
<header class="heading"><h1>${title}</h1>${deleting(id, language)}</header>
<form class="record composer" method="post" action="/activities/${id}">
${activityErrors(refused, language)}
${noteField(values, refused, language)}
<div class="composer-row">${kindChoice(values.kind ?? "", language)}
${contactChoice(withCurrent(contacts, found), values.contact_id ?? "", language)}
${momentField(values.at, language)}
<button class="main">${shellWords[language].save}</button>
<a class="button" href="/companies/${found.companyId}">${shellWords[language].cancel}</a></div>
</form>`;
  return { title, area: "companies" as const, main };
}

/** The activity's contact stays selectable, even if deleted. */
function withCurrent(contacts: readonly { id: string; name: string }[], { contact }: Activity) {
  return contact === null || contacts.some(({ id }) => id === contact.id) ? contacts : [...contacts, contact];
}

function deleting(id: string, language: Language): Html {
  const words = activityWords[language];
  return html`<details class="menu"><summary class="button">${words.deleteIt}</summary>
<div><p>${words.forGood}</p>
<form method="post" action="/activities/${id}/delete"><button class="danger">${words.delete}</button></form></div></details>`;
}
