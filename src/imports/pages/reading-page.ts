import type { Deps } from "../../deps.ts";
import { errorSummary } from "../../web/forms/field.ts";
import { html, type Html } from "../../web/html.ts";
import type { Language } from "../../web/language.ts";
import type { FieldMessages } from "../../web/messages.ts";
import type { Page, PageRequest } from "../../web/page.ts";
import { rereadImport, type Import } from "../import-queries.ts";
import { findMapping, rememberMapping } from "../mapping-queries.ts";
import type { Reading } from "../reading/reading.ts";
import { importReasonIn, type ImportReason } from "../reading/reasons.ts";
import { columnsBy, firstRow, namesIn, refusalOf } from "../store-upload.ts";
import { importOf } from "./import-of.ts";
import { importWords } from "./import-words.ts";
import { mappingAsked, mappingFields } from "./mapping-fields.ts";
import { readingAsked, readingFields } from "./reading-fields.ts";

/** POST /imports/{id}/reading: checks a file (again) with another reading. */
export const rereadImportPage: Page = async (deps, request) => {
  const { actor, language, form } = request;
  const { tenant } = actor;
  const found = await importOf(deps, request);
  const to = `/imports/${found.id}`;
  if (!isOpen(found)) return { to };
  const asked = askedReading(request, found.reading);
  const first = await firstRow(deps, tenant, found.id, asked);
  if (first === null) return { to };
  const names = namesIn(first);
  const isSame = asked.encoding === found.reading.encoding && asked.delimiter === found.reading.delimiter;
  const chosen = isSame ? mappingAsked(form, found.kind, names) : null;
  const columns = chosen ?? columnsBy(await findMapping(tenant, deps.database, found.kind), names);
  const reading = { ...asked, columns };
  const refusal = refusalOf(found.kind, first, reading);
  if (refusal === null) {
    const mapped = names.flatMap((name, index) => (chosen?.[index] ? [[name, chosen[index]] as const] : []));
    if (chosen !== null) await rememberMapping(tenant, deps.database, found.kind, Object.fromEntries(mapped));
    await rereadImport(tenant, deps.database, found.id, reading);
    return { to };
  }
  const words = importWords[language];
  const main = html`<header class="heading"><h1>${words.reading}</h1></header>
${readingForm(language, { ...found, reading }, names, refusal)}
<p><a class="button" href="${to}">${words.back}</a></p>`;
  return { status: 422, title: words.reading, area: "imports", main };
};

function askedReading({ form, language }: PageRequest, known: Reading): Reading {
  const asked = readingAsked(form, language);
  return {
    ...asked,
    encoding: asked.encoding ?? known.encoding,
    delimiter: asked.delimiter ?? known.delimiter,
    columns: null,
  };
}

/** Whether the reading can still be changed: nothing is written yet. */
export function isOpen({ state, forgottenAt }: Import): boolean {
  return (state === "checked" || state === "mapping") && forgottenAt === null;
}

/** The form for the reading of an open import, with the reason why the file cannot be read with the current one. */
export async function openReading(deps: Deps, { actor, language }: PageRequest, found: Import): Promise<Html> {
  const first = await firstRow(deps, actor.tenant, found.id, found.reading);
  if (first === null) return html`<p class="error">${importWords[language].failures.unreadable}</p>`;
  const refusal = found.state === "mapping" ? refusalOf(found.kind, first, found.reading) : null;
  return readingForm(language, found, namesIn(first), refusal);
}

function readingForm(
  language: Language,
  { id, kind, reading }: Pick<Import, "id" | "kind" | "reading">,
  names: readonly string[],
  refusal: ImportReason | null,
): Html {
  const words = importWords[language];
  const errors: FieldMessages = refusal === null ? {} : { delimiter: [importReasonIn(language, refusal)] };
  return html`${errorSummary(errors, language)}
<form class="record" method="post" action="/imports/${id}/reading" novalidate>
${readingFields(language, reading)}
${names.length > 0 && mappingFields(language, kind, reading, names)}
<p class="actions"><button${refusal !== null && html` class="main"`}>${words.reread}</button></p>
</form>`;
}
