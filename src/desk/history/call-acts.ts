import type { Difference } from "../../kit/changes/differences.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { day, type InLanguages, type Language } from "../../kit/web/language.ts";
import type { HistoryChange } from "./history-queries.ts";

/** The author, the resource's name as a link, and the language and time zone of a sentence. */
export type ActContext = { who: Html; resource: Html; language: Language; timeZone: string };

/** A call to come that was planned, moved, ended or kept; null for another change. */
export function callAct(
  { action, callDay }: HistoryChange,
  fields: ReadonlyMap<string, Difference>,
  { who, resource, language }: ActContext,
): Html | null {
  const words = callActWords[language];
  const due = fields.get("due_on");
  const shown = (value: unknown) => day(language, typeof value === "string" ? value : (callDay ?? ""));
  if (action === "created") {
    const about = fields.get("about")?.to;
    return html`${words.planned(who, shown(due?.to), resource)}${typeof about === "string" && `: ${about}`}`;
  }
  if (action === "deleted") return words.ended(who, shown(null), resource);
  if (action === "restored") return words.kept(who, shown(null), resource);
  return due !== undefined && fields.size === 1 ? words.moved(who, resource, shown(due.from), shown(due.to)) : null;
}

const callActWords = {
  en: {
    planned: (who: Html, day: string, company: Html) => html`${who} planned a call with ${company} on ${day}`,
    moved: (who: Html, company: Html, from: string, to: string) =>
      html`${who} moved the call with ${company} from ${from} to ${to}`,
    ended: (who: Html, day: string, company: Html) => html`${who} ended the call with ${company} of ${day}`,
    kept: (who: Html, day: string, company: Html) => html`${who} planned the call with ${company} of ${day} again`,
  },
  ro: {
    planned: (who: Html, day: string, company: Html) => html`${who} a programat un apel către ${company} pe ${day}`,
    moved: (who: Html, company: Html, from: string, to: string) =>
      html`${who} a mutat apelul către ${company} din ${from} pe ${to}`,
    ended: (who: Html, day: string, company: Html) => html`${who} a încheiat apelul către ${company} din ${day}`,
    kept: (who: Html, day: string, company: Html) => html`${who} a păstrat apelul către ${company} din ${day}`,
  },
} satisfies InLanguages<object>;
