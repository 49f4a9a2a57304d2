import { options } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import type { Page } from "../../../kit/web/page.ts";
import { forgettingCorrected } from "../import-file-queries.ts";
import { rereadImport, type Import } from "../import-queries.ts";
import { kindNames } from "../kinds.ts";
import { lookInto, understand } from "../store-upload.ts";
import { backToImport, importOf } from "./import-of.ts";
import { importWords } from "./import-words.ts";
import { kindTitles } from "./kind-words.ts";
import { isOpen } from "./reading-page.ts";

/** POST /imports/{id}/kind: reads the same file as rows of another kind, whose columns a person looks at next. */
export const changeKindPage: Page = async (deps, request) => {
  const { tenant } = request.actor;
  const found = await importOf(deps, request);
  const { id, reading: before } = found;
  const to = `/imports/${id}`;
  const kind = request.form.get("kind") ?? "";
  if (!kindNames.includes(kind) || kind === found.kind) return { to };
  if (!isOpen(found)) return backToImport(found, false);
  // The header is looked for again: each kind knows other names.
  const asRead = { ...before, headerLine: 0, corrected: new Map<number, readonly string[]>() };
  const file = await lookInto(deps, tenant, id, asRead);
  if (file === null) return { to };
  const { reading } = await understand(deps, tenant, kind, file.rows, asRead);
  const changes = forgettingCorrected(id);
  const next = { kind, reading, state: "mapping" } as const;
  return backToImport(found, await rereadImport(tenant, deps.database, found, next, { changes }));
};

/** The kind of an open import, which can be changed. The button is for browsers without scripts (swap.js). */
export function kindForm(language: Language, { id, kind, reading }: Import): Html {
  const words = importWords[language];
  return html`<form class="in-place kind" method="post" action="/imports/${id}/kind" data-swap="notice heading import" data-focus="kind">
<label for="kind">${reading.isKindGuessed ? words.looksLike : words.kind}</label>
<select id="kind" name="kind">${options(kindChoices(language), kind)}</select>
<noscript><button>${words.changeKind}</button></noscript></form>`;
}

function kindChoices(language: Language) {
  return kindNames.map((name) => ({ value: name, label: kindTitles[language][name] ?? name }));
}
