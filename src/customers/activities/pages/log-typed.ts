import type { Deps } from "../../../kit/deps.ts";
import { errors } from "../../../kit/errors.ts";
import { typedInput } from "../../../kit/web/forms/typed.ts";
import type { Page, PageAnswer, PageRequest } from "../../../kit/web/page.ts";
import { newActivity } from "../activity.ts";
import { logActivity } from "../write-activity.ts";
import type { ActivityValues, RefusedActivity } from "./composer.ts";

const NAMES = newActivity.fields.map(({ name }) => name);

type Logged = {
  company: string;
  /** The fields that the page knows, whatever the form has. */
  known?: ActivityValues;
  /** The model and the id of the page's resource. */
  of?: [model: string, id: string];
};

/**
 * Logs the activity that a form has. Null if it was written, otherwise the page again with the errors. Throws
 * resourceMissing.
 */
export async function logTyped(
  deps: Deps,
  request: PageRequest,
  { company, known = {}, of = ["Company", company] }: Logged,
  pageWith: (refused: RefusedActivity) => Page,
): Promise<PageAnswer | null> {
  const { actor, form, language, session } = request;
  const names = NAMES.filter((name) => !Object.hasOwn(known, name));
  const input = { ...typedInput(newActivity.fields, form.input(names), language), ...known };
  const logged = await logActivity(deps, actor, company, { input, timeZone: session.workspace.timeZone });
  if (logged.outcome === "missing") throw errors.resourceMissing(...of);
  if (logged.outcome === "written") return null;
  const page = pageWith({ values: { ...form.values(names), ...known }, errors: logged.messages });
  return { ...(await page(deps, request)), status: 422 };
}
