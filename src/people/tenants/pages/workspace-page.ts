import { editedIn, shownFields } from "../../../kit/changes/edited.ts";
import type { Deps } from "../../../kit/deps.ts";
import { errorLine, errorSummary, fieldRow } from "../../../kit/web/forms/field.ts";
import { choicesAmong, type Choice } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { languages, type Language } from "../../../kit/web/language.ts";
import { messagesIn, type FieldMessages } from "../../../kit/web/messages.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { protocolErrors } from "../../../platform/http/http-error.ts";
import { updateWorkspace } from "../change-workspace.ts";
import { workspaceFields } from "../tenant.ts";
import { findDetails, findLogo, saveLogo } from "../workspace-details-queries.ts";
import { firmFields, isIban, LOGO_MAX, logoType, salesFields } from "../workspace-details.ts";
import { workspaceWords } from "../workspace-words.ts";

const fields = [...workspaceFields, ...firmFields, ...salesFields];
const names = fields.map(({ name }) => name);
const timeZones: readonly Choice[] = (workspaceFields.find(({ name }) => name === "time_zone")?.values ?? []).map(
  (value) => ({ value, label: value.replaceAll("_", " ") }),
);

type WorkspaceWords = (typeof workspaceWords)[Language];

const MARKS = { en: ".", ro: "," };

/** GET /workspace */
export const workspacePage: Page = async (deps, request) => await page(deps, request, 200, null);

/** POST /workspace: changes what the admin has edited. */
export const workspacePost: Page = async (deps, request) => {
  const { actor, form, language } = request;
  const changed = await updateWorkspace(deps, actor.tenant, form.input(editedIn(form, names)), changedBy(actor));
  if (changed.outcome === "written") return { to: "/workspace", notice: notice("workspace-saved") };
  return await page(deps, request, 422, messagesIn(language, changed.messages, workspaceWords[language]));
};

/** GET /workspace/logo: the picture, as a file that no browser opens as a page. */
export const logoPage: Page = async ({ database }, { actor }) => {
  const stored = await findLogo(actor.tenant, database);
  if (stored === null) throw protocolErrors.routeUnknown("workspace/logo");
  const body = Buffer.from(stored.base64, "base64");
  const type = logoType(body) ?? "png";
  return { file: `logo.${type}`, contentType: `image/${type}`, body };
};

/** POST /workspace/logo: stores the picture of the form; without one, `remove` removes it. */
export const logoPost: Page = async (deps, request) => {
  const { actor, receive, language } = request;
  const words = workspaceWords[language];
  const { form, result } = await receive(async ({ chunks }) => {
    const parts: Uint8Array[] = [];
    let size = 0;
    // A file that is too large is read to its end, and not stored.
    for await (const part of chunks) if ((size += part.length) <= LOGO_MAX) parts.push(part);
    return { bytes: Buffer.concat(parts), isTooLarge: size > LOGO_MAX };
  });
  const isRemoved = form.has("remove");
  const wrong = isRemoved ? null : wrongIn(result, words);
  if (wrong !== null) return await page(deps, request, 422, { logo: [wrong] });
  const logo = isRemoved ? null : (result?.bytes.toString("base64") ?? null);
  await saveLogo(actor.tenant, deps.database, logo, changedBy(actor));
  return { to: "/workspace", notice: notice("workspace-saved") };
};

function wrongIn(file: { bytes: Buffer; isTooLarge: boolean } | null, words: WorkspaceWords): string | null {
  if (file === null) return words.logoMissing;
  if (file.isTooLarge) return words.logoTooLarge;
  return logoType(file.bytes) === null ? words.logoWrong : null;
}

function logoForm(hasLogo: boolean, errors: FieldMessages | null, language: Language): Html {
  const words = workspaceWords[language];
  const described = errors?.logo === undefined ? "logo-hint" : "logo-hint logo-error";
  return html`<form class="record" method="post" action="/workspace/logo" enctype="multipart/form-data" novalidate>
<div class="field" id="field-logo"><label for="logo">${words.logo}</label>
${hasLogo && html`<img height="48" src="/workspace/logo" alt="${words.logo}">`}
<input id="logo" name="file" type="file" accept="image/png,image/jpeg" aria-describedby="${described}"${errors?.logo !== undefined && html` aria-invalid="true"`}>
<p class="hint" id="logo-hint">${words.logoHint}</p>
${errorLine("logo", errors)}</div>
<p class="actions"><button>${words.saveLogo}</button>${hasLogo && html`<button name="remove" value="1">${words.removeLogo}</button>`}</p>
</form>`;
}

async function page(
  { database }: Deps,
  { actor, session, form, language }: PageRequest,
  status: number,
  errors: FieldMessages | null,
): Promise<Shown> {
  const words = workspaceWords[language];
  const { slug, name, country, timeZone } = session.workspace;
  const details = await findDetails(actor.tenant, database);
  const stored = {
    name,
    country,
    time_zone: timeZone,
    ...details.firm,
    payment_days: String(details.paymentDays),
    vat_rates: details.vatRates.map((rate) => rate.replace(".", MARKS[language])).join(" "),
    begins_with_vat: details.beginsWithVat ? "1" : "0",
    mail_language: details.mailLanguage ?? "",
  };
  const values = { ...stored, ...form.input(names) } as Record<string, string | null>;
  const isOdd = (values.iban ?? "") !== "" && !isIban(values.iban ?? "");
  const shown = {
    values,
    ...(isOdd && { notes: { iban: html`${words.ibanWrong}` } }),
    labels: words,
    errors,
    language,
    choices: {
      time_zone: timeZones,
      mail_language: [{ value: "", label: words.byCountry }, ...choicesAmong(languages)],
    },
    hints: {
      country: words.countryHint,
      time_zone: words.timeZoneHint,
      vat_rates: words.vatRatesHint,
      payment_days: words.paymentDaysHint,
      mail_language: words.mailLanguageHint,
    },
  };
  const main = html`<header class="heading"><h1>${words.title}</h1></header>
${errorSummary(errors, language)}
<form class="record" method="post" action="/workspace" novalidate>
${shownFields(names, stored, form)}
${workspaceFields.map((field) => fieldRow(field, shown))}
<h2>${words.firm}</h2>
${firmFields.map((field) => fieldRow(field, shown))}
<h2>${words.sales}</h2>
${salesFields.map((field) => fieldRow(field, shown))}
<p class="actions"><button class="main">${shellWords[language].save}</button></p>
</form>
${logoForm(details.hasLogo, errors, language)}
<dl class="facts"><dt>${words.slug}</dt><dd><span class="code">${slug}</span><p class="hint">${words.slugHint}</p></dd></dl>`;
  return { status, title: words.title, area: "workspace", main };
}
