import { activityWords } from "../../customers/activities/activity-words.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { dayOf } from "../../kit/web/language.ts";
import { contains, marked } from "../../kit/web/mark.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { momentText } from "../../platform/http/lists/moment-cursor.ts";
import { shortened } from "../../platform/text.ts";
import type { FoundNote } from "./find-queries.ts";

/** Words before the first match, and in all. A text without spaces is one word. */
const [BEFORE, SHOWN] = [4, 14];
const LONGEST = 160;

/**
 * A note: the words around the first match, its company, kind and day. The link leads to the company's activity, which
 * begins with it.
 */
export function noteItem(
  { id, at, kind, note, companyId, companyName }: FoundNote,
  sought: readonly string[],
  { language, session }: PageRequest,
): Html {
  // Behind the activity, so that it is the first.
  const from = momentText({ at, id: String(BigInt(id) + 1n) });
  const beside = [companyName, activityWords[language].kinds[kind], dayOf(language, at, session.workspace.timeZone)];
  return html`<a href="/companies/${companyId}?activity=said&amp;said=${from}#happened"><span>${marked(excerpt(note, sought), sought)}</span> <small>${beside.join(" · ")}</small></a>`;
}

function excerpt(note: string, sought: readonly string[]): string {
  const words = note.split(/\s+/).filter((word) => word !== "");
  const first = words.findIndex((word) => sought.some((each) => contains(word, each)));
  const from = Math.max(0, first - BEFORE);
  const shown = words.slice(from, from + SHOWN);
  const text = [from > 0 && "…", ...shown, from + shown.length < words.length && "…"].filter(Boolean).join(" ");
  return shortened(text, LONGEST);
}
