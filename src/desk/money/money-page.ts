import type { Deps } from "../../kit/deps.ts";
import { rowTable } from "../../kit/tables/rows.ts";
import { tableWords } from "../../kit/tables/table-words.ts";
import { selectScript } from "../../kit/tables/table.ts";
import { dayIn } from "../../kit/web/forms/typed.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { amount, day, dayOf, decimal, listedDay, summand, type Language } from "../../kit/web/language.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { bucketNames, type BucketName } from "../../orders/invoices/money-queries.ts";
import { promisesOf, type Promised } from "../../orders/reminders/promise-queries.ts";
import { lastReminders, type LastReminder } from "../../orders/reminders/reminder-queries.ts";
import { parseReceivables } from "../../orders/reports/parse-receivables.ts";
import {
  receivables,
  type CompanyReceivable,
  type CurrencyReceivable,
  type Receivable,
  type Receivables,
  type ReceivablesQuery,
} from "../../orders/reports/receivables-queries.ts";
import { isSet } from "../../orders/reports/report-filters.ts";
import type { UserEver } from "../../people/users/user-queries.ts";
import { daysBetween } from "../../platform/dates.ts";
import { parsePage, type Query } from "../../platform/http/lists/pagination.ts";
import {
  figureList,
  linked,
  ordersHref,
  readReport,
  reportFilterForm,
  emptyReport,
  reportFiltersOnPaper,
  reportPage,
  type ReportChoices,
} from "../reports/report-page.ts";
import { reportWords } from "../reports/report-words.ts";
import { ageingBar } from "./ageing-bar.ts";
import { moneyWords } from "./money-words.ts";
import { reminderWords } from "./reminder-words.ts";

const NOTHING: Receivables = { totals: [], companies: [], total: 0 };

/** GET /money: who owes how much, by the days since it was due; one row for a company and a currency. */
export const moneyPage: Page = async (deps, request) => {
  const { actor, language, query, session } = request;
  const words = moneyWords[language];
  const parsed = parseReceivables(query, session.workspace.timeZone);
  const rows = parsed === null ? NOTHING : receivables(actor.tenant, deps.database, parsed, parsePage(query));
  const { found, users, currencies } = await readReport(deps, request, rows);
  const beside = await besideOf(deps, request, found.companies, users);
  const today = parsed?.day ?? "";
  const asOf = parsed?.isAsOf === true ? day(language, today) : null;
  const listed = listsOf(parsed);
  const content = html`${asOf !== null && html`<p class="muted">${words.asOfSaid(asOf)}</p>`}
${
  found.total === 0
    ? emptyReport("money", query.othersThanPage === "" ? words.empty : reportWords[language].nothing, request)
    : html`${found.totals.map((of) => currencyFigures(of, request, listed))}
${companiesForm(found, beside, { today, listed }, request)}`
}`;
  const page = reportPage(
    {
      area: "money",
      title: words.title,
      beside: asOf !== null && html`<span class="muted">${asOf}</span>`,
      filterForm: filterForm(request, { users, currencies }),
      filtersOnPaper: reportFiltersOnPaper([words.overdueOnly, isSet(query, "overdue")], { users }, request),
      content,
      rows: { count: found.companies.length, total: found.total },
    },
    request,
  );
  return { ...page, main: html`${selectScript}${page.main}` };
};

/** The owed amount of a currency with its ageing: figures, and one bar. */
function currencyFigures(of: CurrencyReceivable, { language }: PageRequest, listed: Lists): Html {
  const words = moneyWords[language];
  const tooMuch = Number(of.paid_too_much) > 0;
  return html`${figureList([
    {
      label: words.owed,
      value: amount(language, of.owed, of.currency),
      below: words.of(of.invoices, of.companies),
      href: listed(of, "owed"),
    },
    ...bucketNames.map((name) => ({
      label: words.buckets[name],
      value: decimal(language, of[name], of.currency),
      href: listed(of, name),
    })),
    tooMuch && {
      label: words.tooMuch,
      value: decimal(language, of.paid_too_much, of.currency),
      href: listed(of, "paid_too_much"),
    },
  ])}
${ageingBar(of, language)}`;
}

type Figure = BucketName | "owed" | "overdue" | "paid_too_much";
/** The address of the list of a figure's invoices; undefined without one. */
type Lists = (of: Receivable & { companyId?: string | null }, figure: Figure) => string | undefined;

/**
 * Lists have the invoices of today, and no empty currency. "Overdue only" leaves companies out: of all its figures, the
 * overdue ones are those of a list.
 */
function listsOf(parsed: ReceivablesQuery | null): Lists {
  return (of, figure) => {
    // The sums of a currency have no company.
    const company = of.companyId ?? "";
    const isOfList = company !== "" || !parsed?.isOverdueOnly || !["owed", "not_due", "paid_too_much"].includes(figure);
    if (parsed === null || parsed.isAsOf || of.currency === "" || Number(of[figure]) === 0 || !isOfList)
      return undefined;
    const isTooMuch = figure === "paid_too_much";
    return ordersHref({
      state: isTooMuch ? figure : "owed",
      late: isTooMuch || figure === "owed" ? "" : figure,
      currency: of.currency,
      company,
      assigned_to: company === "" ? (parsed.assignedTo ?? "") : "",
    });
  };
}

function filterForm(request: PageRequest, choices: ReportChoices): Html {
  const { query, language } = request;
  const words = moneyWords[language];
  const before = html`<label>${words.asOf} <input type="date" name="as_of" value="${dayIn(query.get("as_of") ?? "")}"></label>
`;
  const after = html`<label><input type="checkbox" name="overdue" value="1"${isSet(query, "overdue") && html` checked`}>${words.overdueOnly}</label>
`;
  return reportFilterForm({ action: "/money", live: "money", before, after }, choices, request);
}

/** The columns beside the figures: names by the ids of owners, the others by the ids of companies. */
export type Beside = {
  owners: ReadonlyMap<string, string>;
  reminders: ReadonlyMap<string, LastReminder>;
  promises: ReadonlyMap<string, Promised>;
};

export async function besideOf(
  { database }: Deps,
  { actor: { tenant } }: PageRequest,
  companies: readonly CompanyReceivable[],
  users: readonly UserEver[],
): Promise<Beside> {
  const ids = [...new Set(companies.map(({ companyId }) => companyId))];
  const [reminders, promises] = await Promise.all([
    lastReminders(tenant, database, ids),
    promisesOf(tenant, database, ids),
  ]);
  return {
    owners: new Map(users.map(({ id, name }) => [id, name])),
    reminders: new Map(reminders.map((reminder) => [reminder.companyId, reminder])),
    promises: new Map(promises.map((promise) => [promise.companyId, promise])),
  };
}

type Shown = { today: string; listed: Lists };

/** The companies, with boxes for a reminder to each. */
function companiesForm(found: Receivables, beside: Beside, shown: Shown, request: PageRequest): Html {
  const [words, { bulk, selected, choose }] = [reminderWords[request.language], tableWords[request.language]];
  return html`<form method="post" action="/money/remind" data-select>
<label class="button choosing"><input type="checkbox">${choose}</label>${companyTable(found, beside, shown, request)}
<fieldset class="bulk"><legend class="hidden">${bulk}</legend><span>${selected} <span data-selected></span><span data-sums></span></span>
<button class="main">${words.remindSelected}</button></fieldset></form>`;
}

function companyTable(
  { companies, totals }: Receivables,
  { owners, reminders, promises }: Beside,
  { today, listed }: Shown,
  { language, session, query }: PageRequest,
): Html {
  const { columns, late } = moneyWords[language];
  const [words, { select, selectPage }] = [reminderWords[language], tableWords[language]];
  const { timeZone } = session.workspace;
  const isLate = ({ overdue }: CompanyReceivable) => Number(overdue) > 0;
  return rowTable<CompanyReceivable>(
    companies,
    [
      [
        "check",
        selectPage,
        (of) =>
          isLate(of) &&
          html`<input type="checkbox" name="id" value="${of.companyId}" data-sum="${summand(of.overdue, of.currency)}" aria-label="${select(of.companyName)}">`,
        { th: html`<th class="check"><input type="checkbox" data-select-all hidden aria-label="${selectPage}"></th>` },
      ],
      [
        "name",
        columns.company,
        ({ companyName }) => companyName,
        { href: ({ companyId }) => `/companies/${companyId}` },
      ],
      ["number", columns.owed, (of) => linked(amount(language, of.owed, of.currency), listed(of, "owed"))],
      [
        "number",
        columns.overdue,
        (of) =>
          Number(of.overdue) === 0 ? "-" : linked(decimal(language, of.overdue, of.currency), listed(of, "overdue")),
      ],
      ["short", columns.oldest, ({ oldest }) => (oldest === null ? "-" : late(daysBetween(oldest, today)))],
      [
        "short",
        words.last,
        ({ companyId }) => {
          const reminder = reminders.get(companyId);
          return reminder === undefined
            ? words.never
            : html`<a href="/companies/${companyId}/reminders">${words.nth[reminder.level - 1]}, ${dayOf(language, reminder.at, timeZone)}</a>`;
        },
      ],
      [
        "short",
        words.promised,
        ({ companyId, companyName }) => {
          const until = promises.get(companyId)?.until ?? null;
          const shown = until === null ? "-" : listedDay(language, until, timeZone);
          const name = html`<span class="hidden">${words.promise} ${companyName}</span>`;
          return html`<a href="/companies/${companyId}/promise?to=${encodeURIComponent(address(query))}"${until !== null && until < today && html` class="late"`}>${shown}${name}</a>`;
        },
      ],
      ["text", columns.owner, ({ owner }) => (owner === null ? "-" : (owners.get(owner) ?? "-")), { isMinor: true }],
      [
        "action",
        words.remind,
        (of) =>
          isLate(of) &&
          html`<a class="button" href="/money/reminders?companies=${of.companyId}">${words.remind}<span class="hidden"> ${of.companyName}</span></a>`,
      ],
    ],
    html`${totals.map((of) => sumRow(of, listed, language))}`,
  );
}

/** The sums of a currency, below its columns. */
function sumRow(of: CurrencyReceivable, listed: Lists, language: Language): Html {
  return html`<tr><td class="check"></td><th scope="row">${moneyWords[language].sum}</th><td class="number">${linked(amount(language, of.owed, of.currency), listed(of, "owed"))}</td><td class="number">${linked(decimal(language, of.overdue, of.currency), listed(of, "overdue"))}</td><td></td><td></td><td></td><td></td><td></td></tr>`;
}

/** The address of the page, to come back to. */
function address(query: Query): string {
  const filters = query.othersThan();
  return `/money${filters === "" ? "" : `?${filters}`}`;
}
