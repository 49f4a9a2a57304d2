import { errorSummary } from "../../web/forms/field.ts";
import { html } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { shellWords } from "../../web/shell-words.ts";
import { rereadImport } from "../import-queries.ts";
import { refusalOf } from "../store-upload.ts";
import { importMessage } from "./import-messages.ts";
import { importOf } from "./import-of.ts";
import { importWords } from "./import-words.ts";
import { readingAsked, readingFields } from "./reading-fields.ts";

/** POST /imports/{id}/reading: has a checked file checked again, read in another way. */
export const rereadImportPage: Page = async (deps, request) => {
  const { actor, language, form } = request;
  const found = await importOf(deps, request);
  const asked = readingAsked(form);
  const reading = {
    encoding: asked.encoding ?? found.reading.encoding,
    delimiter: asked.delimiter ?? found.reading.delimiter,
    clearsEmpty: asked.clearsEmpty,
  };
  const refusal = found.state === "checked" ? await refusalOf(deps, actor.tenant, { ...found, reading }) : null;
  if (refusal === null) {
    await rereadImport(actor.tenant, deps.database, found.id, reading);
    return { to: `/imports/${found.id}` };
  }
  const words = importWords[language];
  const errors = { delimiter: [importMessage(language, refusal)] };
  const main = html`<header class="heading"><h1>${words.reading}</h1></header>
${errorSummary(errors, language)}
<form class="record" method="post" action="/imports/${found.id}/reading" novalidate>
${readingFields(language, reading)}
<p class="actions"><button class="main">${words.reread}</button><a class="button" href="/imports/${found.id}">${shellWords[language].cancel}</a></p>
</form>`;
  return { status: 422, title: words.reading, area: "imports", main };
};
