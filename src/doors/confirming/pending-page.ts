import { companyLabels } from "../../customers/companies/company-words.ts";
import { customLabels } from "../../customers/custom-fields/custom-inputs.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import { doubtsAbout } from "../../desk/invoice-pages/ask-to-send.ts";
import { countsIn, mergeWords } from "../../desk/merging/merge-words.ts";
import type { Deps } from "../../kit/deps.ts";
import { found } from "../../kit/endpoint.ts";
import {
  findPendingRequest,
  listPendingRequests,
  type PendingRequest,
} from "../../kit/stored-answers/pending-request-queries.ts";
import { emptyState } from "../../kit/web/empty-state.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { listOf, moment } from "../../kit/web/language.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { findInvoice } from "../../orders/invoices/invoice-queries.ts";
import { invoiceRow } from "../../orders/invoices/invoice-row.ts";
import { deliveryAhead } from "../../orders/invoices/pages/delivery.ts";
import { dayAfter } from "../../platform/dates.ts";
import { shortened } from "../../platform/text.ts";
import { openBatch } from "../agents/batches.ts";
import { pendingCallOf, PENDING_PATH, type PendingCall } from "../agents/pending.ts";
import type { JsonObject } from "../agents/session.ts";
import { invoiceAfter } from "../agents/tools/issued-invoice.ts";
import { effectIn, pendingWords } from "./pending-words.ts";

/** Requests of the page. */
const SHOWN = 50;
/** The longest item of a batch, in code points. */
const ITEM_MAX = 300;

/** GET /agents/pending: the requests of assistants that wait for a person, the oldest first. */
export const listPendingPage: Page = async (deps, request) => {
  const { actor, language } = request;
  const words = pendingWords[language];
  const waiting = await listPendingRequests(actor.tenant, deps.database, SHOWN + 1);
  const guide = { href: "/docs/guides/agents", label: words.guide };
  const main = html`<header class="heading"><h1>${words.title}</h1></header>
<p>${words.about}</p>
${waiting.length === 0 && emptyState("agents", words.none, [guide])}
${await Promise.all(waiting.slice(0, SHOWN).map(async (each) => await card(deps, request, each, true)))}
${waiting.length > SHOWN && html`<p class="hint">${words.more}</p>`}`;
  return { title: words.title, area: "agents", main };
};

/** GET /agents/pending/{id}: one of them, with each item of a batch. */
export const showPendingPage: Page = async (deps, request) => {
  const { actor, language } = request;
  const pending = await found("Request", request, async (id) => findPendingRequest(actor.tenant, deps.database, id));
  const words = pendingWords[language];
  const main = html`<a class="back" href="${PENDING_PATH}">${icon("back")}${words.title}</a>
<header class="heading"><h1>${words.request}</h1></header>
${await card(deps, request, pending, false)}
${items(deps, request, pending)}`;
  return { title: words.request, area: "agents", main };
};

/** Null for a request that does not decrypt. */
async function card(
  deps: Deps,
  request: PageRequest,
  pending: PendingRequest,
  isListed: boolean,
): Promise<Html | null> {
  const { language, session } = request;
  const words = pendingWords[language];
  const { id, keyName, at, until, tool } = pending;
  const time = (text: string) => moment(language, text, session.workspace.timeZone);
  const call = pendingCallOf(pending, { keyring: deps.keyring, tenant: request.actor.tenant });
  if (call === null) return null;
  const { data } = call;
  const effect = effectIn(language, tool, data);
  const record = recordOf(tool, data);
  const form = (path: string, label: string, kind: string) =>
    html`<form method="post" action="${PENDING_PATH}/${id}/${path}"><button${kind !== "" && html` class="${kind}"`}>${label}<span class="hidden">: ${effect}</span></button></form>`;
  const isOpen = !pending.isDecided && !pending.isLate && !pending.isKeyOver;
  return html`<section class="section" id="request-${id}"><header><h2>${effect}</h2></header>
<p>${words.asked(keyName, time(at), time(until))}</p>
${await sending(deps, request, tool, call)}${tool === "merge_companies" && (await merging(deps, request, call))}
<div class="actions">${isOpen ? html`${form("confirm", words.confirm, "main")}${form("decline", words.decline, "")}` : html`<p class="hint">${words.over}</p>`}
${record !== null && html`<a class="button" href="${record}">${words.look}<span class="hidden">: ${effect}</span></a>`}
${isListed && tool === "apply_batch" && html`<a class="button" href="${PENDING_PATH}/${id}">${words.items}<span class="hidden">: ${effect}</span></a>`}</div></section>`;
}

/** Of a call that sends: where the goods would go, and the doubts about sending now, as the invoice's page has them. */
async function sending(
  deps: Deps,
  { actor, session, language }: PageRequest,
  tool: string,
  { given, data }: PendingCall,
): Promise<Html[]> {
  if (tool !== "send_invoice" && data.becomes !== "sent" && data.becomes !== "paid_and_sent") return [];
  const { tenant } = actor;
  const isNew = data.invoice_id === undefined;
  const row = isNew ? null : await findInvoice(tenant, deps.database, String(data.invoice_id));
  if (row === null && !isNew) return [];
  const invoice = invoiceAfter(given, row === null ? null : invoiceRow(row, { keyring: deps.keyring, tenant }));
  const viewer = { tenant, today: dayAfter(0, session.workspace.timeZone), language };
  const lines = await doubtsAbout(deps, viewer, invoice, String(data.company));
  const delivery = await deliveryAhead(deps, actor, invoice, language);
  return [delivery, ...lines.map((line) => html`<p class="reason attention">${line}</p>`)];
}

/** The rows that move to the kept company, and its values that change, or that stay as the assistant chose. */
async function merging(
  { database }: Deps,
  { actor, language }: PageRequest,
  { given, data }: PendingCall,
): Promise<Html> {
  const [words, { company: ofMerge }] = [pendingWords[language], mergeWords[language].of];
  const what = countsIn(data.moved as Record<string, number>, language);
  const custom = customLabels(await customTable(actor.tenant, database, "company"));
  const labels = (names: readonly string[]) => {
    const called = names.map(
      (name) => companyLabels[language][name as keyof (typeof companyLabels)["en"]] ?? custom[name] ?? name,
    );
    return listOf(language, called, called.length);
  };
  const changed = data.changed as string[];
  const kept = Object.entries((given.fields ?? {}) as Record<string, string>).flatMap(([name, whose]) =>
    whose === "keep" ? [name] : [],
  );
  return html`<p>${what === "" ? ofMerge.movesNothing : ofMerge.moves(what)}</p>
${changed.length > 0 && html`<p>${words.changing(labels(changed))}</p>`}
${kept.length > 0 && html`<p>${words.keeping(labels(kept))}</p>`}`;
}

/** The page of the record that the request is about; null for a batch. */
function recordOf(tool: string, { id, from, invoice_id: sent, invoice: paid }: JsonObject): string | null {
  if (tool === "merge_companies") return `/companies/${Number(id)}/merge?with=${Number(from)}`;
  if (tool === "delete_company" || (tool === "upsert_invoice" && sent === undefined)) return `/companies/${Number(id)}`;
  return tool === "apply_batch" ? null : `/invoices/${Number(sent ?? paid)}`;
}

/** Each item of a batch, as the assistant sent it; null for any other request. */
function items(deps: Deps, request: PageRequest, pending: PendingRequest): Html | null {
  const call = pendingCallOf(pending, { keyring: deps.keyring, tenant: request.actor.tenant });
  if (pending.tool !== "apply_batch" || call === null) return null;
  const opening = { deps, actor: request.actor, keyId: pending.keyId, calledAt: call.calledAt };
  const batch = openBatch(opening, String(call.given.preview));
  if (batch === null) return null;
  return html`<ol>${batch.items.map((item) => html`<li>${shortened(textOf(item), ITEM_MAX)}</li>`)}</ol>`;
}

function textOf(item: JsonObject): string {
  const texts = Object.entries(item).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return texts.join(", ");
}
