import type { Wording } from "../../../kit/changes/change-words.ts";
import { day, moment } from "../../../kit/web/language.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { childMembers } from "../child-json.ts";
import type { ChildNoun } from "./noun.ts";

/** How changes of a noun are shown, with its values formatted for people. */
export function childWording({ child, labels, values }: ChildNoun, { language, session }: PageRequest): Wording {
  const { timeZone } = session.workspace;
  const kinds = new Map([...childMembers(child), ...child.fields].map(({ name, kind }) => [name, kind]));
  return {
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
  };
}
