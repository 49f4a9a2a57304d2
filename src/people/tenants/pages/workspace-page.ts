import type { Deps } from "../../../kit/deps.ts";
import { errorSummary, fieldRow } from "../../../kit/web/forms/field.ts";
import type { Choice } from "../../../kit/web/forms/select.ts";
import { html } from "../../../kit/web/html.ts";
import { messagesIn, type FieldMessages } from "../../../kit/web/messages.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { updateWorkspace } from "../change-workspace.ts";
import { workspaceFields } from "../tenant.ts";
import { findDetails } from "../workspace-details-queries.ts";
import { detailFields } from "../workspace-details.ts";
import { workspaceWords } from "../workspace-words.ts";

const fields = [...workspaceFields, ...detailFields];
const names = fields.map(({ name }) => name);
const timeZones: readonly Choice[] = (workspaceFields.find(({ name }) => name === "time_zone")?.values ?? []).map(
  (value) => ({ value, label: value.replaceAll("_", " ") }),
);

const MARKS = { en: ".", ro: "," };

/** GET /workspace */
export const workspacePage: Page = async (deps, request) => await page(deps, request, 200, null);

/** POST /workspace */
export const workspacePost: Page = async (deps, request) => {
  const { actor, form, language } = request;
  const changed = await updateWorkspace(deps, actor.tenant, form.input(names), changedBy(actor));
  if (changed.outcome === "written") return { to: "/workspace", notice: notice("workspace-saved") };
  return await page(deps, request, 422, messagesIn(language, changed.messages, workspaceWords[language]));
};

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
    payment_days: String(details.paymentDays),
    vat_rates: details.vatRates.map((rate) => rate.replace(".", MARKS[language])).join(" "),
    begins_with_vat: String(details.beginsWithVat),
  };
  const shown = {
    values: { name, country, time_zone: timeZone, ...stored, ...form.input(names) } as Record<string, string>,
    labels: words,
    errors,
    language,
    choices: { time_zone: timeZones },
    hints: {
      country: words.countryHint,
      time_zone: words.timeZoneHint,
      vat_rates: words.vatRatesHint,
      payment_days: words.paymentDaysHint,
    },
  };
  const main = html`<header class="heading"><h1>${words.title}</h1></header>
${errorSummary(errors, language)}
<form class="record" method="post" action="/workspace" novalidate>
${workspaceFields.map((field) => fieldRow(field, shown))}
<h2>${words.sales}</h2>
${detailFields.map((field) => fieldRow(field, shown))}
<p class="actions"><button class="main">${shellWords[language].save}</button></p>
</form>
<dl class="facts"><dt>${words.slug}</dt><dd><span class="code">${slug}</span><p class="hint">${words.slugHint}</p></dd></dl>`;
  return { status, title: words.title, area: "workspace", main };
}
