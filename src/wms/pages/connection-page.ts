import type { Deps } from "../../deps.ts";
import { errors } from "../../errors.ts";
import type { Page, PageRequest, Shown } from "../../web/page.ts";
import { isId } from "../../platform/ids.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { moment, type Language } from "../../web/language.ts";
import { notice } from "../../web/notice.ts";
import { state } from "../../web/state.ts";
import {
  forgetConnection,
  readConnection,
  testConnection,
  writeConnection,
  type Connection,
  type ConnectionInput,
} from "../connection.ts";
import { warehouseWords } from "../warehouse-words.ts";
import { unreachable } from "./unreachable.ts";

type Wrong = readonly ("subdomain" | "key")[];

/** GET /companies/{id}/warehouse */
export const connectionPage: Page = async (deps, request) => {
  const connection = await connectionOf(deps, request);
  const { subdomain, sendsAutomatically } = connection;
  return page(deps, request, connection, { subdomain: subdomain ?? "", key: "", sendsAutomatically }, []);
};

/** POST /companies/{id}/warehouse: an empty key keeps the stored one. */
export const saveConnectionPage: Page = async (deps, request) => {
  const { actor, form, params } = request;
  const connection = await connectionOf(deps, request);
  const input: ConnectionInput = {
    subdomain: form.get("wms_subdomain") ?? "",
    key: form.get("wms_api_key") ?? "",
    sendsAutomatically: ["1", "on", "true"].includes(form.get("send_automatically") ?? ""),
  };
  const written = await writeConnection(deps, actor, params.id ?? "", input);
  if (written.outcome === "invalid") return page(deps, request, connection, input, written.fields);
  if (written.outcome === "missing") throw errors.resourceMissing("Company", params.id ?? "");
  return { to: `/companies/${params.id}/warehouse`, notice: notice("warehouse-saved") };
};

/** POST /companies/{id}/warehouse/test: one call, which changes nothing. */
export const testConnectionPage: Page = async (deps, request) => {
  await connectionOf(deps, request);
  const { outcome } = await testConnection(deps, request.actor, request.params.id ?? "");
  return { to: `/companies/${request.params.id}/warehouse`, notice: notice("warehouse-tested", { outcome }) };
};

/** POST /companies/{id}/warehouse/remove */
export const removeConnectionPage: Page = async (deps, request) => {
  await connectionOf(deps, request);
  await forgetConnection(deps, request.actor, request.params.id ?? "");
  return { to: `/companies/${request.params.id}/warehouse`, notice: notice("warehouse-removed") };
};

/** The connection of the company that the path names. Throws resourceMissing. */
async function connectionOf(deps: Deps, { actor, params }: PageRequest): Promise<Connection> {
  const id = params.id ?? "";
  const connection = isId(id) ? await readConnection(deps, actor, id) : null;
  if (connection === null) throw errors.resourceMissing("Company", id);
  return connection;
}

function page(
  { warehouse }: Deps,
  request: PageRequest,
  connection: Connection,
  input: ConnectionInput,
  wrong: Wrong,
): Shown {
  const { params, language, session } = request;
  const words = warehouseWords[language];
  const { companyName, subdomain, keyEnd } = connection;
  const isConnected = subdomain !== null && keyEnd !== null;
  const base = `/companies/${params.id}/warehouse`;
  const title = words.title(companyName);
  const main = html`<a class="back" href="/companies/${params.id}">${icon("back")}${companyName}</a>
<header class="heading"><h1>${title}</h1>${isConnected ? state("good", words.connected) : state("neutral", words.notConnected)}</header>
<p>${words.about}</p>
${warehouse === null && unreachable(request)}
${form(base, connection, input, wrong, language, session.workspace.timeZone)}
${isConnected && others(base, connection, String(params.id), language)}`;
  return { status: wrong.length > 0 ? 422 : 200, title, area: "companies", main };
}

function form(
  action: string,
  { keyEnd, keySetAt, keySetBy }: Connection,
  { subdomain, sendsAutomatically }: ConnectionInput,
  wrong: Wrong,
  language: Language,
  timeZone: string,
): Html {
  const words = warehouseWords[language];
  const stored =
    keyEnd !== null &&
    html` <span class="muted">${words.keyStored(keyEnd)}${
      keySetAt !== null && html`, ${words.keySet(moment(language, keySetAt, timeZone), keySetBy ?? words.somebody)}`
    }</span>`;
  return html`<form class="record" method="post" action="${action}" novalidate>
<div class="field"><label for="wms_subdomain">${words.subdomain}</label>
<input id="wms_subdomain" name="wms_subdomain" value="${subdomain}" autocomplete="off" autocapitalize="none" spellcheck="false" required aria-describedby="subdomain-hint${wrong.includes("subdomain") && " subdomain-error"}"${wrong.includes("subdomain") && html` aria-invalid="true"`}>
<p class="hint" id="subdomain-hint">${words.subdomainHint}</p>
${wrong.includes("subdomain") && html`<p class="error" id="subdomain-error">${words.wrongSubdomain}</p>`}</div>
<div class="field"><label for="wms_api_key">${words.key}${stored}</label>
<input id="wms_api_key" name="wms_api_key" type="password" autocomplete="off" aria-describedby="key-hint${wrong.includes("key") && " key-error"}"${wrong.includes("key") && html` aria-invalid="true"`}>
<p class="hint" id="key-hint">${words.keyHint} ${keyEnd !== null && words.keyKept}</p>
${wrong.includes("key") && html`<p class="error" id="key-error">${words.wrongKey}</p>`}</div>
<div class="field"><input type="checkbox" id="send_automatically" name="send_automatically" value="1" aria-describedby="automatically-hint"${sendsAutomatically && html` checked`}>
<label for="send_automatically">${words.automatically}</label>
<p class="hint" id="automatically-hint">${words.automaticallyHint}</p></div>
<p class="actions"><button class="main">${words.save}</button></p>
</form>`;
}

function others(base: string, { sendable }: Connection, companyId: string, language: Language): Html {
  const words = warehouseWords[language];
  return html`${
    sendable > 0 &&
    html`<p>${words.sendable(sendable)} <a href="/companies/${companyId}/invoices">${words.toInvoices}</a></p>`
  }
<section class="section">
<form method="post" action="${base}/test"><p>${words.testText}</p><p><button>${words.test}</button></p></form>
<form method="post" action="${base}/remove"><p>${words.removeText}</p><p><button class="danger">${words.remove}</button></p></form>
</section>`;
}
