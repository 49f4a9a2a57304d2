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
import { allOf } from "../../orders/wms/orders/order-filters.ts";
import { listOrders } from "../../orders/wms/orders/order-list-queries.ts";
import { dayAfter } from "../../platform/dates.ts";
import { duplicatesOfUser } from "../alike/alike-page.ts";
import { listOpened, openedPlaces, type Opened } from "../last-opened/last-opened-queries.ts";
import { callGroup } from "./call-rows.ts";
import { firstSteps, hasStepsLeft } from "./first-steps.ts";
import { orderGroup, overdueGroup, unsentGroup } from "./invoice-rows.ts";
import { listBrokenPromises } from "./promise-queries.ts";
import { promiseGroup } from "./promise-rows.ts";
import { assignedToOf, choicesOf, todayGroups, type GroupName, type Whose } from "./today-choices.ts";
import { thingsGroup } from "./today-items.ts";
import {
  findFirstSteps,
  findNextCall,
  findOwners,
  findRefusedKeys,
  listCallBacks,
  listOverdue,
  listUnsent,
} from "./today-queries.ts";
import { todayWords } from "./today-words.ts";

/** The rows of a group; more of it is a number, with a way to all. */
const SHOWN = 15;
const COUNTED = 1_000;
const OPENED = 8;
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
  const [found, unowned, steps, opened, webhooks, refused, duplicates, pending] = await Promise.all([
    find(deps, request, assignedTo, choices.shown),
    whose === "mine" ? find(deps, request, NO_OWNER, choices.shown) : null,
    findFirstSteps(tenant, deps.database, userId),
    listOpened(tenant, deps.database, userId, OPENED),
    webhooksInNeed(deps, request),
    session.user.role === "admin" ? findRefusedKeys(tenant, deps.database) : NONE_REFUSED,
    whose === "mine" ? duplicatesOfUser(deps, request) : null,
    countPendingRequests(tenant, deps.database, COUNTED),
  ]);
  const owners = whose === "all" ? await ownersOf(deps, request, found) : new Map<string, string>();
  const ofNobody = unowned === null ? 0 : countOf(unowned);
  const isAnyRefused = refused.isWorkspaces || refused.companies.length > 0;
  const isQuiet = countOf(found) === 0 && webhooks.length === 0 && ofNobody === 0 && !isAnyRefused && pending === 0;
  const shown = { request, owners, isReachable: deps.warehouse !== null, counted: COUNTED, whose, assignedTo };
  const groups = [
    callGroup(found.calls, { ...shown, today: found.today }),
    orderGroup(found.needs, found.links, shown),
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
${ofNobody > 0 && html`<p>${words.unowned(ofNobody, unowned?.isMore === true)} <a href="/today?whose=nobody">${words.show}</a></p>`}
${duplicates}
${groups.map((group) => thingsGroup(group, language))}
${webhooks.length > 0 && html`<section class="section"><header><h2>${words.webhooks}</h2></header>${webhooks}</section>`}
</div>
${opened.length > 0 && html`<section class="section"><header><h2>${words.opened}</h2></header>${openedList(opened)}</section>`}`;
  return { title: words.title, area: "today", main, isList: true };
};

/** @param assignedTo a user's id, NO_OWNER, or null for all companies */
async function find(
  deps: Deps,
  { actor, session }: PageRequest,
  assignedTo: string | null,
  shown: readonly GroupName[],
) {
  const { tenant } = actor;
  const today = dayAfter(0, session.workspace.timeZone);
  const asked = { today, assignedTo, most: SHOWN, limit: COUNTED + 1 };
  // Links are confirmed together, on a page of their own.
  const inNeed = { ...allOf({ of: "needs" }), assignedTo };
  const none = { orders: [], total: 0, isCut: false };
  const has = (name: GroupName) => shown.includes(name);
  const [calls, needs, links, unsent, promises, overdue] = await Promise.all([
    has("calls") ? listCallBacks(tenant, deps, asked) : { ...none, callBacks: [] },
    has("needs") ? listOrders(tenant, deps, inNeed, "-issued_on", { page: 1, perPage: SHOWN, offset: 0 }) : none,
    has("needs") ? countLinks(tenant, deps.database, assignedTo) : { count: 0, isMore: false },
    has("unsent") ? listUnsent(tenant, deps, asked) : none,
    has("promises") ? listBrokenPromises(tenant, deps, asked) : { ...none, promises: [] },
    has("overdue") ? listOverdue(tenant, deps, asked) : none,
  ]);
  const isMore =
    links.isMore || [calls, needs, unsent, promises, overdue].some(({ total, isCut }) => total > COUNTED || isCut);
  return { today, calls, needs, links, unsent, promises, overdue, isMore };
}

type Found = Awaited<ReturnType<typeof find>>;

/** The number of items that wait. */
function countOf({ calls, needs, links, unsent, promises, overdue }: Found): number {
  return [calls, needs, unsent, promises, overdue].reduce(
    (sum, { total }) => sum + Math.min(total, COUNTED),
    links.count,
  );
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
  const next = await findNextCall(actor.tenant, database, { today, assignedTo: assignedToOf(whose, request) });
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
