import { errorLine, errorSummary, formActions } from "../../../kit/web/forms/field.ts";
import { inputRow, type InputRow } from "../../../kit/web/forms/input-row.ts";
import { onceField } from "../../../kit/web/forms/once.ts";
import { dayIn } from "../../../kit/web/forms/typed.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import type { FieldMessages } from "../../../kit/web/messages.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { endOfDay, parseDate } from "../../../platform/dates.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { codePoints, composed, isStorable, trim } from "../../../platform/text.ts";
import { areaOf, capabilities, isCapability, type Capability } from "../capability.ts";
import { createApiKey, keyCreatedMails, type KeySpecification } from "../create-api-key.ts";
import { parseAllowedNetworks, parseExpiry, parseRate } from "../key-specification.ts";
import { areaWords, capabilityWords, keyWords, verbIn } from "../key-words.ts";
import { tokenPage } from "./token-page.ts";

const NAME_MAX = 255;

/** GET /keys/new */
export const newKeyPage: Page = async (_deps, request) => page(request, 200, {});

/** POST /keys: answers with the key's token, which is shown only once. */
export const createKeyPage: Page = async (deps, request) => {
  const { actor, session, language } = request;
  const { specification, errors } = parseKey(request, language);
  if (Object.keys(errors).length > 0) return page(request, 422, errors);
  const { slug } = session.workspace;
  const mails = keyCreatedMails(deps, actor.tenant, specification.name, { name: session.user.name });
  const { token } = await createApiKey(actor.tenant, deps.database, slug, specification, session.user.id, mails);
  return await tokenPage(deps, specification, token, request);
};

/** The key that a form describes, and the errors of its fields. */
function parseKey(
  { form, session }: PageRequest,
  language: Language,
): { specification: KeySpecification; errors: FieldMessages } {
  const words = keyWords[language];
  const { timeZone } = session.workspace;
  const errors: FieldMessages = {};
  const parsed = <T>(field: string, fallback: T, parse: (text: string) => T, complaint: string): T => {
    const text = trim(form.get(field) ?? "");
    if (text === "") return fallback;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      errors[field] = [complaint];
      return fallback;
    }
  };
  const name = composed(trim(form.get("name") ?? "")) ?? "";
  if (!isNameOfKey(name)) errors.name = [words.needsName];
  const chosen = form.all("capabilities").filter(isCapability);
  if (chosen.length === 0) errors.capabilities = [words.needsCapability];
  const specification = {
    name,
    capabilities: [...new Set(chosen)],
    expiresAt: parsed<string | null>("expires", null, (text) => parseEnd(text, timeZone), words.needsFuture),
    allowIp: parsed<string[]>("networks", [], parseAllowedNetworks, words.needsNetworks),
    rate: parsed<number | null>("rate", null, parseRate, words.needsRate),
  };
  return { specification, errors };
}

/** Whether a trimmed text can be the name of a key. */
export function isNameOfKey(name: string): boolean {
  return name !== "" && codePoints(name) <= NAME_MAX && isStorable(name);
}

/** The chosen day is the key's last day, in the workspace's time zone. */
function parseEnd(typed: string, timeZone: string): string {
  const text = dayIn(typed);
  return parseExpiry(parseDate(text) === text ? endOfDay(text, timeZone) : text);
}

function page({ form, language }: PageRequest, status: number, errors: FieldMessages): Shown {
  const words = keyWords[language];
  const isFirst = status === 200;
  const line = (row: InputRow) => inputRow({ ...row, value: form.get(row.name) }, errors);
  const main = html`<header class="heading"><h1>${words.new}</h1></header>
${errorSummary(errors, language)}
<form class="record" method="post" action="/keys" novalidate>${onceField()}
${line({ name: "name", label: words.name, hint: words.nameHint })}
<fieldset id="capabilities"${errors.capabilities && html` aria-describedby="capabilities-error"`}><legend>${words.capabilities}</legend>
${[...Map.groupBy(capabilities, areaOf)].map(
  ([area, ofArea]) =>
    html`<div class="choices" role="group" aria-label="${areaWords[language][area]}"><b>${areaWords[language][area]}</b>${ofArea.map(
      (capability) => choice(capability, !isFirst && form.all("capabilities").includes(capability), language),
    )}</div>`,
)}
<p class="hint">${words.writesImply}</p>
${errorLine("capabilities", errors)}</fieldset>
${line({ name: "expires", label: words.expires, hint: words.expiresHint, type: "date", isOptional: true })}
${line({ name: "networks", label: words.networks, hint: words.networksHint, isOptional: true })}
${line({ name: "rate", label: words.rate, hint: words.rateHint, isOptional: true })}
${formActions(words.create, "/keys", language)}
</form>`;
  return { status, title: words.new, area: "keys", main };
}

/** One word, because the line names the area. The full words are the name for screen readers and the title. */
function choice(capability: Capability, isChosen: boolean, language: Language): Html {
  const label = capabilityWords[language][capability];
  return html`<label class="choice" title="${label} (${capability})"><input type="checkbox" name="capabilities" value="${capability}" aria-label="${label}"${isChosen && html` checked`}> ${verbIn(language, capability)}</label>`;
}
