import type { Deps } from "../../../kit/deps.ts";
import { asking, askingAct, dangers, postAct } from "../../../kit/web/asking.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageAnswer, PageRequest, Shown } from "../../../kit/web/page.ts";
import { state } from "../../../kit/web/state.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import {
  readWorkspaceConnection,
  testWorkspaceConnection,
  writeWorkspaceConnection,
  type ConnectionInput,
  type ConnectionProblem,
  type WarehouseConnection,
} from "../connection/connection.ts";
import { findWarehouseContact, saveWarehouseContact } from "../connection/warehouse-contact-queries.ts";
import { countUnderWayOfWorkspace, removeWorkspaceConnection } from "../connection/workspace-connection-queries.ts";
import { connectionFields, connectionIn, contactIn, contactRow } from "./connection-fields.ts";
import { refusedKey } from "./connection-state.ts";
import { unreachable } from "./unreachable.ts";
import { warehouseWords } from "./warehouse-words.ts";

const BASE = "/workspace/warehouses";
const REPLACE = `${BASE}/replace`;

type Typed = { input: ConnectionInput; problems: readonly ConnectionProblem[]; wrong?: FieldErrors | null };
const NOTHING: Typed = { input: { subdomain: "", key: "", sendsAutomatically: false }, problems: [] };

/** GET /workspace/warehouses: the connection of every company without its own. */
export const workspaceConnectionPage: Page = async (deps, request) => {
  const connection = await readWorkspaceConnection(deps, request.actor);
  return await page(deps, request, connection, {
    input: { ...NOTHING.input, sendsAutomatically: connection?.sendsAutomatically ?? false },
    problems: [],
  });
};

/** POST /workspace/warehouses: a connected one keeps its subdomain. Another one needs a confirmation first. */
export const saveWorkspaceConnectionPage: Page = async (deps, request) => {
  const connection = await readWorkspaceConnection(deps, request.actor);
  const input = connectionIn(request.form);
  const present = connection?.subdomain ?? null;
  if (present === null) return await save(deps, request, { connection, input, replaced: null });
  const typed = input.subdomain.trim().toLowerCase();
  if (typed !== "" && typed !== present) return { to: REPLACE };
  return await save(deps, request, { connection, input: { ...input, subdomain: present }, replaced: present });
};

/** GET /workspace/warehouses/replace: the orders under way, and the form of another warehouse. */
export const askToReplacePage: Page = async (deps, request) => {
  const connection = await readWorkspaceConnection(deps, request.actor);
  if (connection === null) return await page(deps, request, connection, NOTHING);
  const { sendsAutomatically } = connection;
  return await replacePage(deps, request, connection, { ...NOTHING, input: { ...NOTHING.input, sendsAutomatically } });
};

/** POST /workspace/warehouses/replace: `replaced` names the warehouse that the person saw. */
export const replaceConnectionPage: Page = async (deps, request) => {
  const connection = await readWorkspaceConnection(deps, request.actor);
  const replaced = request.form.get("replaced") ?? "";
  if (connection === null || connection.subdomain !== replaced) return moved();
  return await save(deps, request, { connection, input: connectionIn(request.form), replaced, isReplacing: true });
};

async function save(
  deps: Deps,
  request: PageRequest,
  {
    connection,
    input,
    replaced,
    isReplacing = false,
  }: { connection: WarehouseConnection | null; input: ConnectionInput; replaced: string | null; isReplacing?: boolean },
): Promise<PageAnswer> {
  const { actor, form } = request;
  // Another warehouse has other people.
  const { contact, wrong } = isReplacing ? { contact: null, wrong: null } : contactIn(form);
  if (wrong !== null) return await page(deps, request, connection, { input, problems: [], wrong });
  const written = await writeWorkspaceConnection(deps, actor, input, replaced);
  if (written.outcome !== "invalid") {
    if (written.outcome === "moved") return moved();
    await saveWarehouseContact(actor.tenant, deps.database, contact, changedBy(actor));
    const { outcome } = await testWorkspaceConnection(deps, actor);
    return { to: BASE, notice: notice("warehouse-saved", { outcome }) };
  }
  const typed = { input, problems: written.problems };
  if (!isReplacing || connection === null) return await page(deps, request, connection, typed);
  return await replacePage(deps, request, connection, typed);
}

/** Another person has replaced the connection meanwhile. */
function moved(): PageAnswer {
  return { to: BASE, notice: notice("warehouse-moved") };
}

/** POST /workspace/warehouses/test: one call, which changes nothing. */
export const testWorkspaceConnectionPage: Page = async (deps, request) => {
  const { outcome } = await testWorkspaceConnection(deps, request.actor);
  return { to: BASE, notice: notice("warehouse-tested", { outcome }) };
};

/** GET /workspace/warehouses/remove: the orders that would not be followed any more. */
export const askToRemoveWorkspacePage: Page = async (deps, request) => {
  const { actor, language } = request;
  const connection = await readWorkspaceConnection(deps, actor);
  if (connection === null) return await page(deps, request, connection, NOTHING);
  const words = warehouseWords[language];
  const underWay = await countUnderWayOfWorkspace(actor.tenant, deps.database);
  return asking(language, {
    title: words.removeWorkspaceTitle,
    area: "warehouses",
    consequences: [words.removeWorkspaceText, words.underWay(underWay)],
    action: `${BASE}/remove`,
    submit: words.remove,
    back: BASE,
  });
};

/** POST /workspace/warehouses/remove */
export const removeWorkspaceConnectionPage: Page = async (deps, request) => {
  await removeWorkspaceConnection(request.actor.tenant, deps.database, changedBy(request.actor));
  return { to: BASE, notice: notice("warehouse-removed") };
};

async function page(
  deps: Deps,
  request: PageRequest,
  connection: WarehouseConnection | null,
  typed: Typed,
): Promise<Shown> {
  const { actor, language, session } = request;
  const wrong = typed.wrong ?? null;
  const stored = await findWarehouseContact(actor.tenant, deps.database);
  const words = warehouseWords[language];
  const { timeZone } = session.workspace;
  const refusedAt = connection?.keyRefusedAt ?? null;
  const title = words.workspaceTitle;
  const isSubdomainFixed = connection !== null;
  const main = html`<header class="heading"><h1>${title}</h1>${standing(connection, request)}</header>
<p>${words.workspaceAbout}</p>
${deps.warehouse === null && unreachable(request)}
${refusedAt !== null && html`<p class="trouble">${words.enterAnother}</p>`}
<form class="record" method="post" action="${BASE}" novalidate>
${connection !== null && html`<dl class="facts field"><dt>${words.subdomain}</dt><dd>${connection.subdomain} <a class="inline" href="${REPLACE}">${words.replace}</a></dd></dl>`}
${connectionFields(connection, typed.input, typed.problems, { language, timeZone, isSubdomainFixed })}
${contactRow(request, stored, wrong)}
<p class="actions"><button class="main">${words.save}</button></p>
</form>
${
  connection !== null &&
  html`<section class="section acts">${postAct(`${BASE}/test`, words.test, words.testText)}</section>
${dangers(language, [askingAct(`${BASE}/remove`, words.remove, words.removeWorkspaceText)])}`
}`;
  return { status: typed.problems.length > 0 || wrong !== null ? 422 : 200, title, area: "warehouses", main };
}

function standing(connection: WarehouseConnection | null, { language, session }: PageRequest): Html {
  const words = warehouseWords[language];
  if (connection === null) return state("neutral", words.notConnected);
  if (connection.keyRefusedAt === null) return state("good", words.connected);
  return refusedKey(connection.keyRefusedAt, language, session.workspace.timeZone);
}

async function replacePage(
  { database }: Deps,
  { actor, language, session }: PageRequest,
  connection: WarehouseConnection,
  { input, problems }: Typed,
): Promise<Shown> {
  const words = warehouseWords[language];
  const present = connection.subdomain ?? "";
  const title = words.replaceTitle(present);
  const underWay = await countUnderWayOfWorkspace(actor.tenant, database);
  const { timeZone } = session.workspace;
  const main = html`<a class="back" href="${BASE}">${icon("back")}${words.workspaceTitle}</a>
<header class="heading"><h1>${title}</h1></header>
<p>${words.underWay(underWay)}</p>
<p>${words.replaceText(present)}</p>
<form class="record" method="post" action="${REPLACE}" novalidate>
<input type="hidden" name="replaced" value="${present}">
${connectionFields(null, input, problems, { language, timeZone })}
<p class="actions"><button class="danger">${words.replaceSubmit}</button></p>
</form>`;
  return { status: problems.length > 0 ? 422 : 200, title, area: "warehouses", main };
}
