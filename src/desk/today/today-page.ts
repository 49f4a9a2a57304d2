import { NO_OWNER } from "../../customers/companies/live-company-queries.ts";
import { webhooksInNeed } from "../../exchange/webhooks/pages/list-webhooks-page.ts";
import type { Deps } from "../../kit/deps.ts";
import { countPendingRequests } from "../../kit/stored-answers/pending-request-queries.ts";
import { columnMenu } from "../../kit/tables/columns.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { day, weekday } from "../../kit/web/language.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { following } from "../../orders/invoices/shown-state.ts";
import { countLinks } from "../../orders/wms/confirming/reconfirm-queries.ts";
import { dayAfter } from "../../platform/dates.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { duplicatesOfUser } from "../alike/alike-page.ts";
import { listOpened, openedPlaces, type Opened } from "../last-opened/last-opened-queries.ts";
import { callGroup } from "./call-rows.ts";
import { findFirstSteps } from "./first-steps-queries.ts";
import { firstSteps, hasStepsLeft } from "./first-steps.ts";
import { orderGroup, overdueGroup, unsentGroup, type Needs } from "./invoice-rows.ts";
import { listBrokenPromises } from "./promise-queries.ts";
import { promiseGroup } from "./promise-rows.ts";
import { assignedToOf, choicesOf, todayGroups, type GroupName, type Whose } from "./today-choices.ts";
import { groupSection } from "./today-items.ts";
import {
  findNextCall,
  findOwners,
  findRefusedKeys,
  listCallBacks,
  listNeeds,
  listOverdue,
  listUnsent,
  type ItemsQuery,
} from "./today-queries.ts";
import { todayWords } from "./today-words.ts";

/** The most rows of a group. It says the number of all, and links to them. */
const SHOWN = 15;
const OPENED = 8;
const MOST_PENDING = 1_000;
const NONE_REFUSED = { isWorkspaces: false, companies: [] };

/** GET /today: the items of the user (`whose=mine`), of everybody (`all`), or without an owner (`nobody`). */
export const todayPage: Page = async (deps, request) => {
  const { language, session } = request;
  const { tenant } = request.actor;
  const words = todayWords[language];
  const choices = await choicesOf(deps, request);
  const { whose } = choices;
  const assignedTo = assignedToOf(whose, request);
  const userId = session.user.id;
  const [found, steps, opened, webhooks, refused, duplicates, pending] = await Promise.all([
    findItems(deps, request, assignedTo, choices),
    findFirstSteps(tenant, deps.database, userId),
    listOpened(tenant, deps.database, userId, OPENED),
    webhooksInNeed(deps, request),
    session.user.role === "admin" ? findRefusedKeys(tenant, deps.database) : NONE_REFUSED,
    whose === "mine" ? duplicatesOfUser(deps, request) : null,
    countPendingRequests(tenant, deps.database, MOST_PENDING),
  ]);
  const owners = whose === "all" ? await ownersOf(deps, request, found) : new Map<string, string>();
  const ofNobody = whose === "mine" ? countOf(found, "ofNobody") : 0;
  const isAnyRefused = refused.isWorkspaces || refused.companies.length > 0;
  const isQuiet =
    countOf(found, "total") === 0 &&
    !found.isMore &&
    webhooks.length === 0 &&
    ofNobody === 0 &&
    !isAnyRefused &&
    pending === 0;
  const shown = { request, owners, isReachable: deps.warehouse !== null, whose, assignedTo };
  const groups = [
    callGroup(found.calls, { ...shown, today: found.today }),
    orderGroup(found.needs, shown),
    unsentGroup(found.unsent, shown),
    promiseGroup(found.promises, shown),
    overdueGroup(found.overdue, { ...shown, today: found.today }),
  ];
  const main = html`<header class="heading"><h1>${words.title}</h1><span class="muted">${weekday(language, session.workspace.timeZone)}</span>
<nav class="switch" aria-label="${words.whose}"><a href="/today?whose=mine"${whose === "mine" && html` aria-current="page"`}>${words.mine}</a>
<a href="/today?whose=all"${whose === "all" && html` aria-current="page"`}>${words.everybody}</a>
${whose === "nobody" && html`<a href="/today?whose=nobody" aria-current="page">${words.nobodys}</a>`}</nav>${columnMenu(
    todayGroups,
    choices.shown.map((name) => ({ name })),
    request,
    { title: words.groups, byDefault: words.allGroups },
  )}</header>
${hasStepsLeft(steps) && firstSteps(steps, request)}
<div id="today"${following(found.needs.orders.map(({ invoice }) => invoice))}>
${isQuiet && steps.company && (await allDone(deps, request, whose))}
${refused.isWorkspaces && html`<p class="trouble">${words.keyRefused} <a href="/workspace/warehouses">${words.otherKey}</a></p>`}
${refused.companies.map(({ id, name }) => html`<p class="trouble">${words.ownKeyRefused(name)} <a href="/companies/${id}/warehouse">${words.otherKey}</a></p>`)}
${pending > 0 && html`<p>${words.pending(pending)} <a href="/agents/pending">${words.show}</a></p>`}
${ofNobody > 0 && html`<p>${words.unowned(ofNobody, found.isMore)} <a href="/today?whose=nobody">${words.show}</a></p>`}
${duplicates}
${groups.map((group) => groupSection(group, language))}
${webhooks.length > 0 && html`<section class="section"><header><h2>${words.webhooks}</h2></header>${webhooks}</section>`}
</div>
${opened.length > 0 && html`<section class="section"><header><h2>${words.opened}</h2></header>${openedList(opened)}</section>`}`;
  return { title: words.title, area: "today", main, look: "list" };
};

/** @param assignedTo a user's id, NO_OWNER, or null for all companies */
async function findItems(
  deps: Deps,
  { actor, session }: PageRequest,
  assignedTo: string | null,
  { shown, whose }: { shown: readonly GroupName[]; whose: Whose },
) {
  const { tenant } = actor;
  const today = dayAfter(0, session.workspace.timeZone);
  const query = { today, assignedTo, most: SHOWN };
  const none = { orders: [], total: 0, ofNobody: 0, isCut: false, sums: [], newest: null };
  const noLinks = { count: 0, isMore: false };
  const has = (name: GroupName) => shown.includes(name);
  const [calls, needs, unownedLinks, unsent, promises, overdue] = await Promise.all([
    has("calls") ? listCallBacks(tenant, deps, query) : { ...none, callBacks: [] },
    has("needs") ? findNeeds(deps, tenant, query) : { ...none, links: noLinks },
    has("needs") && whose === "mine" ? countLinks(tenant, deps.database, NO_OWNER) : noLinks,
    has("unsent") ? listUnsent(tenant, deps, query) : none,
    has("promises") ? listBrokenPromises(tenant, deps, query) : { ...none, promises: [] },
    has("overdue") ? listOverdue(tenant, deps, query) : none,
  ]);
  const isMore =
    needs.links.isMore || unownedLinks.isMore || [calls, needs, unsent, promises, overdue].some(({ isCut }) => isCut);
  return {
    today,
    calls,
    needs: { ...needs, ofNobody: needs.ofNobody + unownedLinks.count },
    unsent,
    promises,
    overdue,
    isMore,
  };
}

/** The orders in need, and the links without a warehouse: those are confirmed together, on a page of their own. */
async function findNeeds(deps: Deps, tenant: TenantId, query: ItemsQuery): Promise<Needs> {
  const [found, links] = await Promise.all([
    listNeeds(tenant, deps, query),
    countLinks(tenant, deps.database, query.assignedTo),
  ]);
  const sums = links.count > 0 ? [] : found.sums;
  return { ...found, total: found.total + links.count, sums, links };
}

type Found = Awaited<ReturnType<typeof findItems>>;

/** The number of items that wait. */
function countOf({ calls, needs, unsent, promises, overdue }: Found, of: "total" | "ofNobody"): number {
  return [calls, needs, unsent, promises, overdue].reduce((sum, group) => sum + group[of], 0);
}

async function ownersOf(
  { database }: Deps,
  { actor }: PageRequest,
  { calls, needs, unsent, promises, overdue }: Found,
): Promise<ReadonlyMap<string, string>> {
  const ofInvoices = [needs, unsent, overdue].flatMap(({ orders }) =>
    orders.map(({ invoice }) => String(invoice.company_id)),
  );
  return await findOwners(actor.tenant, database, [
    ...calls.callBacks.map(({ id }) => id),
    ...promises.promises.map(({ companyId }) => companyId),
    ...ofInvoices,
  ]);
}

/** Says that nothing is left, and what comes next. */
async function allDone({ database }: Deps, request: PageRequest, whose: Whose): Promise<Html> {
  const { actor, language, session } = request;
  const words = todayWords[language];
  const today = dayAfter(0, session.workspace.timeZone);
  const next = await findNextCall(actor.tenant, database, { today, assigned_to: assignedToOf(whose, request) });
  return html`<div class="empty done">${icon("mark")}<p>${words.allDone}</p>${
    next !== null &&
    html`<p class="muted">${words.nextCall} <a href="/companies/${next.id}">${next.name}</a>, ${day(language, next.date)}</p>`
  }</div>`;
}

function openedList(opened: readonly Opened[]): Html {
  return html`<ul class="opened">${opened.map(
    ({ kind, id, name, company }) =>
      html`<li><a href="/${openedPlaces[kind]}/${id}">${name}</a>${company !== null && html` <span class="muted">${company}</span>`}</li>`,
  )}</ul>`;
}
