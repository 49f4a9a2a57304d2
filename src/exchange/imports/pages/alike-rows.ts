import type { AlikeFound } from "../../../customers/alike/alike-to.ts";
import { evidenceIn } from "../../../customers/alike/evidence-words.ts";
import type { Deps } from "../../../kit/deps.ts";
import { namedTable } from "../../../kit/tables/rows.ts";
import type { Form } from "../../../kit/web/forms/form.ts";
import { pageErrors } from "../../../kit/web/forms/page-errors.ts";
import { options } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { wholeNumber, type Language } from "../../../kit/web/language.ts";
import type { Page, PageRequest } from "../../../kit/web/page.ts";
import { UndecryptableValue } from "../../../platform/encryption/keyring.ts";
import { readAlike, type AlikeRow } from "../checking/alike-rows.ts";
import { notedCsv } from "../checking/rejected-csv.ts";
import { readCells, type CellsByLine } from "../import-file-queries.ts";
import type { Import } from "../import-queries.ts";
import { decisionWords } from "./decision-words.ts";
import { ALIKE, NEW, SURE } from "./decisions.ts";
import { importOf } from "./import-of.ts";
import { importWords } from "./import-words.ts";

/** Rows per page. */
const SHOWN = 50;

/** The companies that a row looks like, and the choice to update one of them instead. */
export function alikeCell(language: Language, { line, companies, chosen }: AlikeRow): Html {
  const words = decisionWords[language];
  const isOne = companies.length === 1;
  const choices = companies.map((company) => {
    return { value: String(company.id), label: isOne ? words.instead : words.insteadOf(called(company)) };
  });
  return html`${companies.map((company) => {
    const link = html`<a href="/companies/${company.id}">${called(company)}</a>`;
    return html`<small>${words.looksLike} ${link}: ${words.same} ${evidenceIn(language, company.evidence)}</small>`;
  })}<select name="${ALIKE}.${line}" form="corrections" aria-label="${words.row(line)}">${options([{ value: "", label: words.asNew }, ...choices], chosen ?? "")}</select>`;
}

function called({ name, city }: AlikeFound): string {
  return city === null ? name : `${name}, ${city}`;
}

/** The rows of a check that look like companies, page by page. */
export async function alikeRows(deps: Deps, request: PageRequest, found: Import): Promise<Html> {
  const { language, query } = request;
  const words = importWords[language];
  const rows = await storedAlike(deps, request, found);
  const from = Number(/^\d{1,5}$/.exec(query.get("from") ?? "")?.[0] ?? 0);
  const next = from + SHOWN;
  const page = (at: number, word: string) =>
    html`<a class="button" href="/imports/${found.id}?rows=alike&amp;from=${at}">${word}</a>`;
  return html`${namedTable("list foreseen", rows.slice(from, next), [
    ["number", words.line, ({ line }) => wholeNumber(language, line)],
    ["name", decisionWords[language].inFile, ({ name }) => name],
    ["text", decisionWords[language].looksLike, (row) => alikeCell(language, row)],
  ])}
${(from > 0 || next < rows.length) && html`<p class="actions">${from > 0 && page(0, words.changesFirst)}${next < rows.length && page(next, words.changesNext)}</p>`}`;
}

/** None if they cannot be decrypted any more. */
async function storedAlike(deps: Deps, { actor }: PageRequest, { id }: Import): Promise<AlikeRow[]> {
  try {
    return await readAlike(actor.tenant, deps, id);
  } catch (error) {
    if (error instanceof UndecryptableValue) return [];
    throw error;
  }
}

/**
 * The companies that rows update instead of making another, by line, as a form chooses them; null if it changes
 * nothing. A row's own answer wins over the one for all rows.
 */
export async function chosenInstead(
  deps: Deps,
  request: PageRequest,
  found: Import,
  form: Form,
): Promise<CellsByLine | null> {
  const rows = await storedAlike(deps, request, found);
  const stored = await readCells(request.actor.tenant, deps, found.id, "instead");
  const forAll = form.get(ALIKE);
  const chosen: Record<string, readonly string[]> = forAll === NEW ? {} : { ...stored };
  for (const { line, companies, chosen: before } of rows) {
    const asked = form.get(`${ALIKE}.${line}`);
    const [first] = companies;
    if (asked !== undefined && asked !== (before ?? "")) {
      if (companies.some(({ id }) => String(id) === asked)) chosen[line] = [asked];
      else delete chosen[line];
    } else if (forAll === SURE && before === null && first?.isSure === true) chosen[line] = [String(first.id)];
  }
  return JSON.stringify(chosen) === JSON.stringify(stored) ? null : chosen;
}

/** GET /imports/{id}/alike.csv: the rows of a check that look like companies, as in the file, with these companies. */
export const alikeRowsPage: Page = async (deps, request) => {
  const { actor, language } = request;
  const found = await importOf(deps, request);
  if (!found.hasFiles) throw pageErrors.mayNotExport();
  const rows = found.state === "checked" ? await storedAlike(deps, request, found) : [];
  if (rows.length === 0) return { to: `/imports/${found.id}` };
  const words = decisionWords[language];
  const notes = rows.map(({ line, companies }) => {
    const said = companies.map(
      (one) => `${called(one)} (${one.id}): ${words.same} ${evidenceIn(language, one.evidence)}`,
    );
    return { line, said: said.join("; ") };
  });
  const body = notedCsv(deps, actor.tenant, found, words.csvHeadings, notes.values());
  return { file: `alike-${found.id}.csv`, contentType: "text/csv; charset=utf-8", body };
};
