import { newActivity } from "../../../customers/activities/activity.ts";
import { logActivity } from "../../../customers/activities/write-activity.ts";
import { errors } from "../../../kit/errors.ts";
import { fieldArguments, fieldResults, id, resultSchema } from "../schemas.ts";
import type { WritingTool } from "../tool.ts";
import { fieldsOf } from "../write-resource.ts";

const fields = newActivity.fields.filter(({ name }) => name === "kind" || name === "note" || name === "callback_date");

export const logActivityTool: WritingTool = {
  name: "log_activity",
  title: "Log a note, call, e-mail or meeting",
  description:
    "Writes down at a company (its id) what was said, with whom (`contact`), and the day to call back. A note needs its " +
    "text. It happened now.",
  needs: ["companies:write"],
  writes: { isDestructive: false },
  input: { company: id, contact: id, ...fieldArguments(fields) },
  required: ["company", "kind"],
  output: { activity: resultSchema({ company_id: id, contact_id: id, ...fieldResults(fields) }) },
  async run({ actor }, args, deps) {
    const { company, contact } = args as { company: number; contact?: number };
    const input = { ...fieldsOf(args, fields), contact_id: contact ?? null };
    const written = await logActivity(deps, actor, String(company), { input, timeZone: "UTC" });
    if (written.outcome === "missing") throw errors.resourceMissing("Company", String(company));
    if (written.outcome === "invalid") throw errors.validationFailed(written.messages);
    const activity = { company_id: company, ...input };
    const shows = contact === undefined ? {} : { shows: { type: "contact", id: String(contact) } };
    return { status: 200, json: JSON.stringify({ activity }), ...shows };
  },
};
