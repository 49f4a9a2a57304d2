import { copiedOnce } from "../../../kit/web/copy-button.ts";
import { errorLine, errorSummary, formActions } from "../../../kit/web/forms/field.ts";
import { inputRow } from "../../../kit/web/forms/input-row.ts";
import { onceField } from "../../../kit/web/forms/once.ts";
import { dayIn } from "../../../kit/web/forms/typed.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import type { FieldMessages } from "../../../kit/web/messages.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { dayAfter, daysUntil, endOfDay, parseDate } from "../../../platform/dates.ts";
import { composed, trim } from "../../../platform/text.ts";
import { assistantWords, presets, type PresetName } from "../assistant-words.ts";
import { createApiKey, keyCreatedMails } from "../create-api-key.ts";
import { keyWords } from "../key-words.ts";
import { isNameOfKey } from "./new-key-page.ts";

/** The days until the key of an assistant expires, unless somebody chooses others. */
const DAYS = 30;
const MOST_DAYS = 366;

const names = Object.keys(presets) as PresetName[];

/** GET /keys/assistant: a key that reads, and expires in a month. */
export const newAssistantKeyPage: Page = async (_deps, request) => page(request, 200, {});

/** POST /keys/assistant: answers with the configuration of the assistant, with the key, which is shown this once. */
export const createAssistantKeyPage: Page = async (deps, request) => {
  const { actor, session, language, form } = request;
  const { slug, timeZone } = session.workspace;
  const errors: FieldMessages = {};
  const name = composed(trim(form.get("name") ?? "")) ?? "";
  if (!isNameOfKey(name)) errors.name = [keyWords[language].needsName];
  const preset = names.find((each) => each === form.get("preset"));
  if (preset === undefined) errors.preset = [assistantWords[language].needsPreset];
  const last = parseDate(dayIn(trim(form.get("expires") ?? "")));
  const days = last === null ? -1 : daysUntil(last, timeZone);
  if (days < 0 || days > MOST_DAYS) errors.expires = [assistantWords[language].needsEnd];
  if (preset === undefined || last === null || Object.keys(errors).length > 0) return page(request, 422, errors);
  const expiresAt = endOfDay(last, timeZone);
  const specification = {
    name,
    capabilities: [...presets[preset]],
    expiresAt,
    allowIp: [],
    rate: null,
    confirmsOnPage: form.get("confirms") === "on",
  };
  const mails = keyCreatedMails(deps, actor.tenant, name, { name: session.user.name });
  const { token } = await createApiKey(actor.tenant, deps.database, slug, specification, session.user.id, mails);
  return configurationPage(request, name, token);
};

function page({ form, language, session }: PageRequest, status: number, errors: FieldMessages): Shown {
  const [words, ofKeys] = [assistantWords[language], keyWords[language]];
  const chosen = form.get("preset") ?? names[0];
  const expires = form.get("expires") ?? dayAfter(DAYS, session.workspace.timeZone);
  const confirms = status === 200 || form.get("confirms") === "on";
  const main = html`<a class="back" href="/keys">${icon("back")}${ofKeys.title}</a>
<header class="heading"><h1>${words.title}</h1></header>
<p>${words.about} <a href="/docs/guides/agents">${words.guide}</a></p>
${errorSummary(errors, language)}
<form class="record" method="post" action="/keys/assistant" novalidate>${onceField()}
${inputRow({ name: "name", label: ofKeys.name, hint: words.nameHint, value: form.get("name") }, errors)}
<fieldset class="chosen" id="preset"${errors.preset && html` aria-describedby="preset-error"`}><legend>${words.may}</legend>
${names.map((name) => choice(name, words.presets[name], name === chosen))}
${errorLine("preset", errors)}</fieldset>
<div class="field"><label class="choice"><input type="checkbox" name="confirms" value="on"${confirms && html` checked`} aria-describedby="confirms-hint"> ${words.confirms}</label><p class="hint" id="confirms-hint">${words.confirmsText}</p></div>
${inputRow({ name: "expires", label: ofKeys.expires, hint: words.expiresHint, type: "date", value: expires }, errors)}
${formActions(ofKeys.create, "/keys", language)}
</form>`;
  return { status, title: words.title, area: "keys", main };
}

function choice(name: PresetName, { label, hint }: { label: string; hint: string }, isChosen: boolean): Html {
  return html`<div class="field"><input type="radio" id="preset-${name}" name="preset" value="${name}"${isChosen && html` checked`} aria-describedby="preset-${name}-hint">
<label for="preset-${name}">${label}</label><p class="hint" id="preset-${name}-hint">${hint}</p></div>`;
}

/** The key, this once, as each client wants it. It is in no address and no cookie, and browsers keep no copy. */
function configurationPage({ language, origin }: PageRequest, name: string, token: string): Shown {
  const [words, ofKeys] = [assistantWords[language], keyWords[language]];
  const [url, Authorization] = [`${origin}/mcp`, `Bearer ${token}`];
  const command = `claude mcp add --transport http --scope user liaison ${url} --header "Authorization: ${Authorization}"`;
  const server = { type: "http", url, headers: { Authorization } };
  const json = (member: string, liaison: object) => JSON.stringify({ [member]: { liaison } }, null, 2);
  // mcp-remote refuses an address without https otherwise.
  const further = url.startsWith("https:") ? [] : ["--allow-http"];
  // Without a blank in an argument: some systems lose the quotation marks.
  const args = ["-y", "mcp-remote", url, "--header", "Authorization:${AUTHORIZATION}", ...further];
  const local = { command: "npx", args, env: { AUTHORIZATION: Authorization } };
  const main = html`<header class="heading"><h1>${name}</h1></header>
<p><strong>${ofKeys.once}</strong> ${words.whole} <a href="/docs/guides/agents">${words.guide}</a></p>
${part(ofKeys.token, null, copiedOnce("token", token, ofKeys.token, language))}
${part("Claude Code", words.codeHint, copiedOnce("claude-code", command, "Claude Code", language))}
${part("Claude Desktop", words.desktopHint, copiedOnce("claude-desktop", json("mcpServers", local), "Claude Desktop", language))}
${part(words.cursor, words.cursorHint, copiedOnce("cursor", json("mcpServers", server), words.cursor, language))}
${part("Visual Studio Code", words.studioHint, copiedOnce("vs-code", json("servers", server), "Visual Studio Code", language))}
${part(words.other, words.otherHint, copiedOnce("address", url, words.other, language))}
<p><a class="button main" href="/keys">${ofKeys.done}</a></p>`;
  return { title: name, area: "keys", main };
}

function part(title: string, hint: string | null, content: Html): Html {
  return html`<section class="section"><header><h2>${title}</h2></header>
${hint !== null && html`<p class="hint">${hint}</p>`}${content}</section>`;
}
