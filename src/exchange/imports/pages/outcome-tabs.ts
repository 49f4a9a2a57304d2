import type { Deps } from "../../../kit/deps.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { wholeNumber, type Language } from "../../../kit/web/language.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { UndecryptableValue } from "../../../platform/encryption/keyring.ts";
import type { CheckFindings } from "../checking/listed-rows.ts";
import { readJson } from "../import-file-queries.ts";
import type { Import } from "../import-queries.ts";
import { alikeRows } from "./alike-rows.ts";
import { foreseenChanges } from "./changed-rows.ts";
import { importWords } from "./import-words.ts";
import { listedRows } from "./listed-rows.ts";

/** The outcomes of a check, in the order of their tabs. */
const outcomes = ["create", "change", "same", "skip"] as const;
export type Tab = (typeof outcomes)[number];

/** The rows of each outcome. */
export function outcomeCounts({ created, updated, unchanged, rejected }: Import): Record<Tab, number> {
  return { create: created, change: updated - unchanged, same: unchanged, skip: rejected };
}

/** The outcome whose rows are shown: the requested one, otherwise the first with rows that a person should check. */
export function shownOutcome({ query }: PageRequest, found: Import): Tab {
  const asked = query.get("rows");
  const counts = outcomeCounts(found);
  const first = (["skip", "create", "change"] as const).find((outcome) => counts[outcome] > 0);
  if (asked === "alike") return "create";
  return outcomes.find((outcome) => outcome === asked) ?? first ?? "same";
}

/** The number of rows of each outcome, as links to these rows. */
export function outcomeTabs(language: Language, found: Import, shown: Tab): Html {
  const words = importWords[language];
  const counts = outcomeCounts(found);
  return html`<nav class="outcomes" aria-label="${words.rowsOfFile}">${outcomes.map(
    (outcome) =>
      html`<a href="/imports/${found.id}?rows=${outcome}"${outcome === shown && html` aria-current="page"`}>${words.outcomes[outcome]} <b>${wholeNumber(language, counts[outcome])}</b></a>`,
  )}</nav>`;
}

/** The rows that the import would create, change or leave as they are. */
export async function outcomeRows(
  deps: Deps,
  request: PageRequest,
  found: Import,
  outcome: Exclude<Tab, "skip">,
  { created, unchanged }: CheckFindings,
): Promise<Html> {
  if (request.query.get("rows") === "alike") return await alikeRows(deps, request, found);
  if (outcomeCounts(found)[outcome] === 0)
    return html`<p class="hint">${importWords[request.language].noRows[outcome]}</p>`;
  if (outcome === "change") return await foreseenChanges(deps, request, found);
  const rows = outcome === "create" ? created : unchanged;
  return listedRows(request, found, { rows, all: outcomeCounts(found)[outcome], outcome });
}

export const NOTHING_FOUND: CheckFindings = {
  created: [],
  unchanged: [],
  noted: [],
  columns: [],
  leftOut: [],
  alike: { rows: 0, sure: 0, chosen: 0, first: [] },
};

/** The findings of the check. Leaves out what cannot be decrypted any more. */
export async function findingsOf(deps: Deps, { actor }: PageRequest, { id }: Import): Promise<CheckFindings> {
  try {
    return { ...NOTHING_FOUND, ...((await readJson(actor.tenant, deps, id, "listed")) as CheckFindings | null) };
  } catch (error) {
    if (error instanceof UndecryptableValue) return NOTHING_FOUND;
    throw error;
  }
}
