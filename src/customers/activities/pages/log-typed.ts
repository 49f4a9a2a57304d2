import { writerIn } from "../../../kit/changes/change-words.ts";
import type { Deps } from "../../../kit/deps.ts";
import { errors } from "../../../kit/errors.ts";
import { typedInput } from "../../../kit/web/forms/typed.ts";
import type { Language } from "../../../kit/web/language.ts";
import { notice, type Notice } from "../../../kit/web/notice.ts";
import type { Page, PageAnswer, PageRequest } from "../../../kit/web/page.ts";
import type { ReplacedCall } from "../../calls/planned-call-queries.ts";
import type { MadeCall } from "../../calls/write-planned-call-queries.ts";
import { newActivity } from "../activity.ts";
import { logActivity } from "../write-activity.ts";
import type { ActivityValues, RefusedActivity } from "./composer.ts";

const NAMES = newActivity.fields.map(({ name }) => name);

type Logged = {
  company: string;
  /** The fields that the page knows, whatever the form has. */
  known?: ActivityValues;
  /** The call to come that this was. */
  made?: MadeCall | null;
  /** The model and the id of the page's resource. */
  of?: [model: string, id: string];
};

/**
 * Logs the activity that a form has. `refused`: the page again with the errors. Otherwise a notice names the call to
 * come that was replaced. Throws resourceMissing.
 */
export async function logTyped(
  deps: Deps,
  request: PageRequest,
  { company, known = {}, made = null, of = ["Company", company] }: Logged,
  pageWith: (refused: RefusedActivity) => Page,
): Promise<{ refused: PageAnswer } | { refused: null; notice: Notice }> {
  const { actor, form, language, session } = request;
  const names = NAMES.filter((name) => !Object.hasOwn(known, name));
  const input = { ...typedInput(newActivity.fields, form.input(names), language), ...known };
  const logged = await logActivity(deps, actor, company, { input, timeZone: session.workspace.timeZone, made });
  if (logged.outcome === "missing") throw errors.resourceMissing(...of);
  if (logged.outcome === "written") return { refused: null, notice: loggedNotice(logged.replaced, language) };
  const page = pageWith({ values: { ...form.values(names), ...known }, errors: logged.messages });
  return { refused: { ...(await page(deps, request)), status: 422 } };
}

function loggedNotice(replaced: ReplacedCall | null, language: Language): Notice {
  if (replaced === null) return notice("activity-logged");
  const { id, date, by, name } = replaced;
  return notice("activity-logged", { call: id, date, by: writerIn(language, by, name) });
}
