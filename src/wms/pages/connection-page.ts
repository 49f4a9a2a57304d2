import type { Deps } from "../../deps.ts";
import { found } from "../../endpoint.ts";
import { errors } from "../../errors.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { asking, askingLink } from "../../web/asking.ts";
import { inputRow } from "../../web/forms/input-row.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { moment, type Language } from "../../web/language.ts";
import { notice } from "../../web/notice.ts";
import type { Page, PageRequest, Shown } from "../../web/page.ts";
import { shellWords } from "../../web/shell-words.ts";
import { state } from "../../web/state.ts";
import { countUnderWay, removeConnection } from "../connection/connection-queries.ts";
import {
  readConnection,
  testConnection,
  writeConnection,
  type WarehouseConnection,
  type ConnectionInput,
  type ConnectionProblem,
} from "../connection/connection.ts";
import { refusedKey } from "./connection-state.ts";
import { unreachable } from "./unreachable.ts";
import { warehouseWords } from "./warehouse-words.ts";

/** GET /companies/{id}/warehouse: for members what there is, and no form. */
export const connectionPage: Page = async (deps, request) => {
  const connection = await connectionOf(deps, request);
  const { subdomain, sendsAutomatically } = connection;
  return page(deps, request, connection, { subdomain: subdomain ?? "", key: "", sendsAutomatically }, []);
};

/** POST /companies/{id}/warehouse: an empty key keeps the stored one while the subdomain stays. */
export const saveConnectionPage: Page = async (deps, request) => {
  const { actor, form, params } = request;
  const connection = await connectionOf(deps, request);
  const input: ConnectionInput = {
    subdomain: form.get("wms_subdomain") ?? "",
    key: form.get("wms_api_key") ?? "",
    sendsAutomatically: ["1", "on", "true"].includes(form.get("send_automatically") ?? ""),
  };
  const written = await writeConnection(deps, actor, params.id ?? "", input);
  if (written.outcome === "invalid") return page(deps, request, connection, input, written.problems);
  if (written.outcome === "missing") throw errors.resourceMissing("Company", params.id ?? "");
  return { to: `/companies/${params.id}/warehouse`, notice: notice("warehouse-saved") };
};

/** POST /companies/{id}/warehouse/test: one call, which changes nothing. */
export const testConnectionPage: Page = async (deps, request) => {
  await connectionOf(deps, request);
  const { outcome } = await testConnection(deps, request.actor, request.params.id ?? "");
  return { to: `/companies/${request.params.id}/warehouse`, notice: notice("warehouse-tested", { outcome }) };
};

/** GET /companies/{id}/warehouse/remove: the orders that would not be followed any more. */
export const askToRemovePage: Page = async (deps, request) => {
  const { actor, language } = request;
  const { companyName, subdomain } = await connectionOf(deps, request);
  const id = request.params.id ?? "";
  const back = `/companies/${id}/warehouse`;
  if (subdomain === null) return { to: back };
  const words = warehouseWords[language];
  const underWay = await countUnderWay(actor.tenant, deps.database, id);
  return asking(language, {
    title: words.removeTitle(companyName),
    area: "companies",
    consequences: [words.removeText, words.underWay(underWay)],
    action: `${back}/remove`,
    submit: words.remove,
    back,
  });
};

/** POST /companies/{id}/warehouse/remove */
export const removeConnectionPage: Page = async (deps, request) => {
  await connectionOf(deps, request);
  await removeConnection(request.actor.tenant, deps.database, request.params.id ?? "", changedBy(request.actor));
  return { to: `/companies/${request.params.id}/warehouse`, notice: notice("warehouse-removed") };
};

/** The connection of the company that the path names. Throws resourceMissing. */
async function connectionOf(deps: Deps, request: PageRequest): Promise<WarehouseConnection> {
  return await found("Company", request, async (id) => await readConnection(deps, request.actor, id));
}

function page(
  { warehouse }: Deps,
  request: PageRequest,
  connection: WarehouseConnection,
  input: ConnectionInput,
  problems: readonly ConnectionProblem[],
): Shown {
  const { params, language, session } = request;
  const words = warehouseWords[language];
  const { companyName, isConnected } = connection;
  const base = `/companies/${params.id}/warehouse`;
  const title = words.title(companyName);
  const { timeZone } = session.workspace;
  const main = html`<a class="back" href="/companies/${params.id}">${icon("back")}${companyName}</a>
<header class="heading"><h1>${title}</h1>${standing(connection, language, timeZone)}</header>
<p>${words.about}</p>
${warehouse === null && unreachable(request)}
${
  session.user.role === "admin"
    ? html`${connection.keyRefusedAt !== null && html`<p class="trouble">${words.enterAnother}</p>`}${form(base, connection, input, problems, language, timeZone)}
${isConnected && actions(base, language)}`
    : html`${isConnected && facts(connection, language, timeZone)}<p class="muted">${words.byAdmins}</p>`
}
${isConnected && sendable(connection, String(params.id), language)}`;
  return { status: problems.length > 0 ? 422 : 200, title, area: "companies", main };
}

function standing({ isConnected, keyRefusedAt }: WarehouseConnection, language: Language, timeZone: string): Html {
  const { connected, notConnected } = warehouseWords[language];
  if (!isConnected) return state("neutral", notConnected);
  return keyRefusedAt === null ? state("good", connected) : refusedKey(keyRefusedAt, language, timeZone);
}

/** Of a stored key how it ends, and who wrote it when. */
function storedKey(
  { keyEnd, keySetAt, keySetBy }: WarehouseConnection,
  language: Language,
  timeZone: string,
): Html | null {
  const words = warehouseWords[language];
  if (keyEnd === null) return null;
  return html`<span class="muted">${words.keyStored(keyEnd)}${
    keySetAt !== null && html`, ${words.keySet(moment(language, keySetAt, timeZone), keySetBy ?? words.somebody)}`
  }</span>`;
}

function facts(connection: WarehouseConnection, language: Language, timeZone: string): Html {
  const words = warehouseWords[language];
  const { yes, no } = shellWords[language];
  return html`<dl class="facts">
<dt>${words.subdomain}</dt><dd>${connection.subdomain}</dd>
<dt>${words.key}</dt><dd>${storedKey(connection, language, timeZone)}</dd>
<dt>${words.automatically}</dt><dd>${connection.sendsAutomatically ? yes : no}</dd>
</dl>`;
}

function form(
  action: string,
  connection: WarehouseConnection,
  { subdomain, sendsAutomatically }: ConnectionInput,
  problems: readonly ConnectionProblem[],
  language: Language,
  timeZone: string,
): Html {
  const words = warehouseWords[language];
  const { keyEnd } = connection;
  const wrongKey = (problems.includes("key") && words.wrongKey) || (problems.includes("other-key") && words.otherKey);
  const errors = {
    ...(problems.includes("subdomain") && { wms_subdomain: [words.wrongSubdomain] }),
    ...(wrongKey !== false && { wms_api_key: [wrongKey] }),
  };
  const label = html`${words.key} ${storedKey(connection, language, timeZone)}`;
  const hint = html`${words.keyHint} ${keyEnd !== null && words.keyKept}`;
  return html`<form class="record" method="post" action="${action}" novalidate>
${inputRow({ name: "wms_subdomain", label: words.subdomain, value: subdomain, hint: words.subdomainHint, autocomplete: "off", isVerbatim: true }, errors)}
${inputRow({ name: "wms_api_key", label, type: "password", hint, autocomplete: "off", isOptional: true }, errors)}
<div class="field"><input type="checkbox" id="send_automatically" name="send_automatically" value="1" aria-describedby="automatically-hint"${sendsAutomatically && html` checked`}>
<label for="send_automatically">${words.automatically}</label>
<p class="hint" id="automatically-hint">${words.automaticallyHint}</p></div>
<p class="actions"><button class="main">${words.save}</button></p>
</form>`;
}

function sendable({ sendable }: WarehouseConnection, companyId: string, language: Language): Html | null {
  const words = warehouseWords[language];
  if (sendable === 0) return null;
  return html`<p>${words.sendable(sendable)} <a href="/companies/${companyId}/invoices">${words.toInvoices}</a></p>`;
}

function actions(base: string, language: Language): Html {
  const words = warehouseWords[language];
  return html`<section class="section">
<form method="post" action="${base}/test"><p>${words.testText}</p><p><button>${words.test}</button></p></form>
${askingLink(`${base}/remove`, words.removeText, words.remove)}
</section>`;
}
