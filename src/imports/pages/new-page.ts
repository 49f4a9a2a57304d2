import type { Deps } from "../../deps.ts";
import { errorLine, errorSummary, formActions } from "../../web/forms/field.ts";
import { options } from "../../web/forms/select.ts";
import { html, type Html } from "../../web/html.ts";
import type { Language } from "../../web/language.ts";
import type { FieldMessages } from "../../web/messages.ts";
import type { Page, PageRequest, Shown } from "../../web/page.ts";
import { kindNames } from "../kinds.ts";
import { beginImport, discardFile, storeFile, type StoredFile } from "../store-upload.ts";
import { fileReasonIn } from "./import-messages.ts";
import { importWords } from "./import-words.ts";
import { kindTitles } from "./kind-words.ts";
import { readingAsked } from "./reading-fields.ts";

/** GET /imports/new */
export const newImportPage: Page = async (_deps, { language, query }) =>
  page(language, 200, query.get("kind") ?? "", {});

/** POST /imports: stores the file and starts its check. No row is written yet. */
export const createImportPage: Page = async (deps, request) => {
  const { actor, language } = request;
  const words = importWords[language];
  const { tenant } = actor;
  const { form, taken: received, isTooLarge } = await receiveFile(deps, request);
  const taken = received?.stored ?? null;
  const kind = form.get("kind") ?? "";
  const errors: FieldMessages = {};
  if (isTooLarge) errors.file = [words.tooLarge];
  else if (received === null) errors.file = [words.needsFile];
  else if (taken === null) errors.file = [words.noRoom];
  if (!kindNames.includes(kind) && !isTooLarge) errors.kind = [words.needsKind];
  if (taken === null) return page(language, 422, kind, errors);
  if (Object.keys(errors).length > 0) {
    await discardFile(deps, tenant, taken.id);
    return page(language, 422, kind, errors);
  }
  const refusal = await beginImport(deps, tenant, taken, { kind, ...readingAsked(form, language) });
  if (refusal === null) return { to: `/imports/${taken.id}` };
  return page(language, 422, kind, { file: [fileReasonIn(language, kind, refusal)] });
};

/** Stores the file of a form. If the rest of the form is invalid, the stored file is removed. */
async function receiveFile(deps: Deps, { actor, session, receive }: PageRequest) {
  const stored: StoredFile[] = [];
  try {
    return await receive<{ stored: StoredFile | null }>(async (file) => {
      const one = await storeFile(deps, actor.tenant, session.user.id, file);
      if (one !== null) stored.push(one);
      return { stored: one };
    });
  } catch (error) {
    for (const { id } of stored) await discardFile(deps, actor.tenant, id);
    throw error;
  }
}

function page(language: Language, status: number, kind: string, errors: FieldMessages): Shown {
  const words = importWords[language];
  const kinds = kindNames.map((name) => ({ value: name, label: kindTitles[language][name] ?? name }));
  const main = html`<header class="heading"><h1>${words.new}</h1></header>
${errorSummary(errors, language)}
<form class="record" method="post" action="/imports" enctype="multipart/form-data" novalidate>
<div class="field"><label for="file">${words.file}</label>
<input id="file" name="file" type="file" accept="${ACCEPTED}"${described("file", errors, "file-hint")}>
<p class="hint" id="file-hint">${words.fileHint}</p>
${errorLine("file", errors)}</div>
<div class="field"><label for="kind">${words.kind}</label>
<select id="kind" name="kind"${described("kind", errors)}>${options(kinds, kind)}</select>
${errorLine("kind", errors)}</div>
${formActions(words.upload, "/imports", language)}
</form>`;
  return { status, title: words.new, area: "imports", main };
}

const ACCEPTED = ".xlsx,.csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain";

function described(name: string, errors: FieldMessages, hint = ""): Html {
  const isWrong = errors[name] !== undefined;
  const by = [hint, isWrong && `${name}-error`].filter(Boolean).join(" ");
  return html`${by !== "" && html` aria-describedby="${by}"`}${isWrong && html` aria-invalid="true"`}`;
}
