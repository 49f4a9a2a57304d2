import type { Deps } from "../../../kit/deps.ts";
import { found } from "../../../kit/endpoint.ts";
import { errors } from "../../../kit/errors.ts";
import { asking, askingAct, dangers, postAct } from "../../../kit/web/asking.ts";
import { html, type Content, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import type { Language } from "../../../kit/web/language.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { state } from "../../../kit/web/state.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import { countUnderWay } from "../connection/connection-queries.ts";
import {
  endConnection,
  readConnection,
  testConnection,
  writeConnection,
  type CompanyConnection,
  type ConnectionInput,
  type ConnectionProblem,
} from "../connection/connection.ts";
import { saveContactOfCompany } from "../connection/warehouse-contact-queries.ts";
import { connectionFields, connectionIn, contactIn, contactRow, facts } from "./connection-fields.ts";
import { connectionName, refusedKey } from "./connection-state.ts";
import { unreachable } from "./unreachable.ts";
import { warehouseWords } from "./warehouse-words.ts";

/** Which connection is to hold for a company. */
const choices = ["workspace", "own", "never"] as const;
type Choice = (typeof choices)[number];

/** GET /companies/{id}/warehouse: the connection; the form only for admins. */
export const connectionPage: Page = async (deps, request) => {
  const connection = await connectionOf(deps, request);
  const { subdomain, sendsAutomatically } = connection;
  const input = { subdomain: subdomain ?? "", key: "", sendsAutomatically };
  return await page(deps, request, connection, { choice: choiceOf(connection), input, problems: [] });
};

/** POST /companies/{id}/warehouse: an empty key keeps the stored one while the subdomain stays. A test follows. */
export const saveConnectionPage: Page = async (deps, request) => {
  const { actor, form, params } = request;
  const id = params.id ?? "";
  const connection = await connectionOf(deps, request);
  const choice = chosenIn(form.get("connection"));
  if (choice !== "own") return await leave(deps, request, connection, choice);
  const input = connectionIn(form);
  const { contact, wrong } = contactIn(form);
  if (wrong !== null) return await page(deps, request, connection, { choice, input, problems: [], wrong });
  const written = await writeConnection(deps, actor, id, input);
  if (written.outcome === "invalid")
    return await page(deps, request, connection, { choice, input, problems: written.problems });
  if (written.outcome === "missing") throw errors.resourceMissing("Company", id);
  await saveContactOfCompany(actor.tenant, deps.database, id, contact);
  const { outcome } = await testConnection(deps, actor, id);
  return { to: `/companies/${id}/warehouse`, notice: notice("warehouse-saved", { outcome }) };
};

/** Asks for confirmation if a key would be deleted, or orders would no longer be followed. */
async function leave(deps: Deps, request: PageRequest, connection: CompanyConnection, choice: Choice) {
  const id = request.params.id ?? "";
  const isOver = await ended(deps, request, connection, choice);
  if (connection.subdomain !== null || isOver > 0) return { to: `/companies/${id}/warehouse/remove?to=${choice}` };
  await endConnection(deps, request.actor, id, choice === "never");
  return { to: `/companies/${id}/warehouse`, notice: notice("warehouse-saved") };
}

/** The orders under way that would no longer be followed. */
async function ended(
  { database }: Deps,
  { actor, params }: PageRequest,
  { isConnected, subdomain, workspaces }: CompanyConnection,
  choice: Choice,
): Promise<number> {
  const present = subdomain ?? workspaces?.subdomain ?? null;
  if (!isConnected || (choice === "workspace" && present === (workspaces?.subdomain ?? null))) return 0;
  return await countUnderWay(actor.tenant, database, params.id ?? "");
}

/** POST /companies/{id}/warehouse/test: one call, which changes nothing. */
export const testConnectionPage: Page = async (deps, request) => {
  await connectionOf(deps, request);
  const { outcome } = await testConnection(deps, request.actor, request.params.id ?? "");
  return { to: `/companies/${request.params.id}/warehouse`, notice: notice("warehouse-tested", { outcome }) };
};

/** GET /companies/{id}/warehouse/remove: the orders that would not be followed any more; `to`: what holds then. */
export const askToRemovePage: Page = async (deps, request) => {
  const { language, query } = request;
  const connection = await connectionOf(deps, request);
  const { companyName, subdomain, workspaces } = connection;
  const choice = query.get("to") === "never" ? "never" : "workspace";
  const back = `/companies/${request.params.id}/warehouse`;
  const isNever = choice === "never";
  if (isNever ? connection.isNever : subdomain === null && !connection.isNever) return { to: back };
  const words = warehouseWords[language];
  const name = workspaces?.subdomain ?? null;
  return asking(language, {
    title: isNever ? words.neverTitle(companyName) : words.removeTitle(companyName),
    area: "companies",
    consequences: [
      subdomain !== null && words.removeText,
      words.underWay(await ended(deps, request, connection, choice)),
      isNever ? words.neverText : name !== null && words.thenWorkspaces(name),
    ],
    action: `${back}/remove`,
    submit: isNever ? words.neverSubmit : words.remove,
    ...(isNever && { value: { name: "to", value: choice } }),
    back,
  });
};

/** POST /companies/{id}/warehouse/remove */
export const removeConnectionPage: Page = async (deps, request) => {
  await connectionOf(deps, request);
  await endConnection(deps, request.actor, request.params.id ?? "", request.form.get("to") === "never");
  return { to: `/companies/${request.params.id}/warehouse`, notice: notice("warehouse-removed") };
};

/** The connection of the company that the path names. Throws resourceMissing. */
async function connectionOf(deps: Deps, request: PageRequest): Promise<CompanyConnection> {
  return await found("Company", request, async (id) => await readConnection(deps, request.actor, id));
}

/** A form without the field is of the own connection. */
function chosenIn(text: string | undefined): Choice {
  return choices.find((choice) => choice === text) ?? "own";
}

/** The choice that holds. Where there is no connection at all, one of its own is offered. */
function choiceOf({ isNever, subdomain, workspaces }: CompanyConnection): Choice {
  if (isNever) return "never";
  return subdomain === null && workspaces !== null ? "workspace" : "own";
}

type Typed = {
  choice: Choice;
  input: ConnectionInput;
  problems: readonly ConnectionProblem[];
  wrong?: FieldErrors;
};

async function page(deps: Deps, request: PageRequest, connection: CompanyConnection, typed: Typed): Promise<Shown> {
  const { params, language, session } = request;
  const words = warehouseWords[language];
  const { companyName, isConnected } = connection;
  const base = `/companies/${params.id}/warehouse`;
  const title = words.title(companyName);
  const { timeZone } = session.workspace;
  const held = heldBy(connection);
  const isAdmin = session.user.role === "admin";
  const underWay =
    isAdmin && isConnected ? await countUnderWay(request.actor.tenant, deps.database, params.id ?? "") : 0;
  const main = html`<a class="back" href="/companies/${params.id}">${icon("back")}${companyName}</a>
<header class="heading"><h1>${title}</h1>${standing(connection, language, timeZone)}</header>
<p>${words.about}</p>
${deps.warehouse === null && unreachable(request)}
${
  isAdmin
    ? html`${isConnected && held.keyRefusedAt !== null && html`<p class="trouble">${words.enterAnother}</p>`}
${underWay > 0 && html`<p class="muted">${words.elsewhere(underWay)}</p>`}${form(base, connection, typed, request)}
${isConnected && actions(base, connection, language)}`
    : html`${isConnected && facts(held, language, timeZone, nameOf(connection, language))}${connection.isNever && html`<p>${words.neverText}</p>`}<p class="muted">${words.byAdmins}</p>`
}
${isConnected && sendable(connection, String(params.id), language)}`;
  return { status: typed.problems.length > 0 || typed.wrong !== undefined ? 422 : 200, title, area: "companies", main };
}

/** The connection that applies, if there is one. */
function heldBy(connection: CompanyConnection) {
  return connection.usesWorkspaces && connection.workspaces !== null ? connection.workspaces : connection;
}

function nameOf(connection: CompanyConnection, language: Language): string {
  return connectionName(heldBy(connection).subdomain ?? "", connection.usesWorkspaces, language);
}

function standing(connection: CompanyConnection, language: Language, timeZone: string): Html {
  const { isConnected, isNever } = connection;
  const { connected, connectedTo, notConnected, isNeverSent } = warehouseWords[language];
  if (!isConnected) return state("neutral", isNever ? isNeverSent : notConnected);
  const { keyRefusedAt } = heldBy(connection);
  if (keyRefusedAt !== null) return refusedKey(keyRefusedAt, language, timeZone);
  return state("good", connection.usesWorkspaces ? connectedTo(nameOf(connection, language)) : connected);
}

function form(
  action: string,
  connection: CompanyConnection,
  { choice, input, problems, wrong }: Typed,
  request: PageRequest,
): Html {
  const { language, session } = request;
  const { timeZone } = session.workspace;
  const words = warehouseWords[language];
  const name = connection.workspaces?.subdomain ?? null;
  const workspaces = html`${name === null ? words.ofWorkspace : words.ofWorkspaceNamed(name)}`;
  const hint = html`${name === null && html`${words.noneOfWorkspace} `}<a href="/workspace/warehouses">${words.toWorkspace}</a>`;
  const option = (value: Choice, label: Content, more: Content) =>
    html`<div class="field"><input type="radio" id="connection-${value}" name="connection" value="${value}"${value === choice && html` checked`} aria-describedby="connection-${value}-hint">
<label for="connection-${value}">${label}</label><p class="hint" id="connection-${value}-hint">${more}</p></div>`;
  return html`<form class="record" method="post" action="${action}" novalidate>
<fieldset class="chosen"><legend>${words.which}</legend>
${option("workspace", workspaces, hint)}
${option("own", words.own, words.ownHint)}
<div class="own">${connectionFields(connection, input, problems, { language, timeZone })}
${contactRow(request, connection.contact, wrong ?? null)}</div>
${option("never", words.never, words.neverHint)}
</fieldset>
<p class="actions"><button class="main">${words.save}</button></p>
</form>`;
}

function sendable({ sendable }: CompanyConnection, companyId: string, language: Language): Html | null {
  const words = warehouseWords[language];
  if (sendable === 0) return null;
  return html`<p>${words.sendable(sendable)} <a href="/companies/${companyId}/invoices">${words.toInvoices}</a></p>`;
}

function actions(base: string, { subdomain }: CompanyConnection, language: Language): Html {
  const words = warehouseWords[language];
  return html`<section class="section acts">${postAct(`${base}/test`, words.test, words.testText)}</section>
${dangers(language, [subdomain !== null && askingAct(`${base}/remove`, words.remove, words.removeText)])}`;
}
