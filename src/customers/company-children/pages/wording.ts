import type { Wording } from "../../../kit/changes/change-words.ts";
import type { Deps } from "../../../kit/deps.ts";
import { day, moment } from "../../../kit/web/language.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { withCustomWording } from "../../custom-fields/custom-inputs.ts";
import { customTableOf } from "../../custom-fields/defined-fields.ts";
import { childMembers } from "../child-json.ts";
import type { ChildNoun } from "./noun.ts";

/** How changes of a noun are shown, with its values formatted for people. */
export async function childWording(
  { child, labels, values }: ChildNoun,
  { database }: Deps,
  { actor, language, session }: PageRequest,
): Promise<Wording> {
  const { timeZone } = session.workspace;
  const kinds = new Map([...childMembers(child), ...child.fields].map(({ name, kind }) => [name, kind]));
  return withCustomWording(await customTableOf(actor.tenant, database, child), {
    labels: labels[language],
    language,
    timeZone,
    value(field, value) {
      switch (kinds.get(field)) {
        case "boolean":
          return shellWords[language][value === "true" ? "yes" : "no"];
        case "date":
          return day(language, value);
        case "timestamp":
          return moment(language, value, timeZone);
        default:
          return values[language][field]?.[value] ?? value;
      }
    },
  });
}
