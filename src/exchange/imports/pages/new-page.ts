import { hash } from "node:crypto";
import type { Deps } from "../../../kit/deps.ts";
import { assets } from "../../../kit/web/assets.ts";
import { errorLine, formActions } from "../../../kit/web/forms/field.ts";
import type { Form } from "../../../kit/web/forms/form.ts";
import { onceField } from "../../../kit/web/forms/once.ts";
import { html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import type { FieldMessages } from "../../../kit/web/messages.ts";
import type { Page, PageAnswer, PageRequest, Shown } from "../../../kit/web/page.ts";
import { NO_CUSTOM_FIELDS } from "../../../platform/fields/custom.ts";
import { findSameUpload } from "../import-queries.ts";
import { kindNames } from "../kinds.ts";
import { discardFile, prepareImport, storeFile, type StoredFile } from "../store-upload.ts";
import { fileReasonIn } from "./import-messages.ts";
import { importWords } from "./import-words.ts";
import { kindTitles } from "./kind-words.ts";
import { readingFromForm } from "./reading-fields.ts";

/** GET /imports/new */
export const newImportPage: Page = async (_deps, { language, query }) => {
  const kind = query.get("kind") ?? "";
  return page(language, 200, kindNames.includes(kind) ? kind : null, {});
};

/** POST /imports: stores the file, and starts its check or shows its columns. No row is written yet. */
export const createImportPage: Page = async (deps, request) => {
  const { actor, language } = request;
  const words = importWords[language];
  const { tenant } = actor;
  const { form, result: received, isTooLarge } = await receiveFile(deps, request);
  const taken = received?.stored ?? null;
  const named = form.get("kind") ?? "";
  const kind = kindNames.includes(named) ? named : null;
  const errors: FieldMessages = {};
  if (isTooLarge) errors.file = [words.tooLarge];
  else if (received === null) errors.file = [words.needsFile];
  else if (taken === null) errors.file = [words.noRoom];
  if (taken === null || isTooLarge) {
    if (taken !== null) await discardFile(deps, tenant, taken.id);
    return page(language, 422, kind, errors);
  }
  const digest = hash("sha256", `${taken.digest}\n${taken.name}\n${named}`, "hex");
  const asked = { kind, ...readingFromForm(form, language) };
  const prepared = await prepareImport(deps, tenant, { ...taken, digest }, asked);
  if ("refusal" in prepared)
    return page(language, 422, kind, {
      file: [fileReasonIn(language, { kind: kind ?? "companies", custom: NO_CUSTOM_FIELDS }, prepared.refusal)],
    });
  return await begunOnce(deps, request, { id: taken.id, digest, form }, prepared.begin);
};

/** A second click, or the same file again behind "Back", leads to the import that waits. */
async function begunOnce(
  deps: Deps,
  { actor, session, once }: PageRequest,
  { id, digest, form }: { id: string; digest: string; form: Form },
  begin: (database: Deps["database"]) => Promise<void>,
): Promise<PageAnswer> {
  const to = `/imports/${id}`;
  let answer: PageAnswer | null = null;
  try {
    answer = await once(deps, form, digest, async ({ database }) => {
      const same = await findSameUpload(actor.tenant, deps.database, digest, session.user.id);
      if (same !== null) return { to: `/imports/${same}` };
      await begin(database);
      return { to };
    });
    return answer;
  } finally {
    if (answer === null || !("to" in answer) || answer.to !== to) await discardFile(deps, actor.tenant, id);
  }
}

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

/** @param kind as the address named it; null if it is guessed */
function page(language: Language, status: number, kind: string | null, errors: FieldMessages): Shown {
  const words = importWords[language];
  const described = ["file-hint", errors.file !== undefined && "file-error"].filter(Boolean).join(" ");
  const main = html`<header class="heading"><h1>${kind === null ? words.new : words.newOf(kindTitles[language][kind] ?? kind)}</h1></header>
<form class="record" method="post" action="/imports" enctype="multipart/form-data" novalidate>${onceField()}
${kind !== null && html`<input type="hidden" name="kind" value="${kind}">`}
<div class="field drop" data-drop="${words.wrongType}"><label for="file"><b>${words.dropHere}</b> <span>${words.orChoose}</span></label>
<input id="file" name="file" type="file" accept="${ACCEPTED}" aria-describedby="${described}"${errors.file !== undefined && html` aria-invalid="true"`}>
<output for="file"></output>
${errorLine("file", errors)}
<p class="hint" id="file-hint">${words.fileHint}</p></div>
${formActions(words.upload, "/imports", language)}
</form><script type="module" src="${assets.pathOf("drop.js")}"></script>`;
  return { status, title: words.new, area: "imports", main };
}

/** Browsers offer these files, and drop.js refuses others. */
const ACCEPTED = ".xlsx,.csv,.tsv,.txt";
