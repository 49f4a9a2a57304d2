import { cellOfDay, cellOfNumber, type Cell } from "../../kit/files/cells.ts";
import { exportTable } from "../../kit/files/report-file.ts";
import { dayOf, type Language } from "../../kit/web/language.ts";
import type { Page } from "../../kit/web/page.ts";
import { bucketNames } from "../../orders/invoices/money-queries.ts";
import { parseReceivables } from "../../orders/reports/parse-receivables.ts";
import { receivables, type CompanyReceivable } from "../../orders/reports/receivables-queries.ts";
import { usersEver } from "../../people/users/user-queries.ts";
import { reportWords } from "../reports/report-words.ts";
import { besideOf, type Beside } from "./money-page.ts";
import { moneyWords } from "./money-words.ts";
import { reminderWords } from "./reminder-words.ts";

const FIGURES = ["owed", "overdue", ...bucketNames, "paid_too_much"] as const;

/** GET /money/export: the rows of the page with the same query, and all of its columns. */
export const exportMoneyPage: Page = async (deps, request) => {
  const { actor, language, query, session } = request;
  const { timeZone } = session.workspace;
  const parsed = parseReceivables(query, timeZone);
  return exportTable<{ of: CompanyReceivable; beside: Beside }>(deps, request, {
    file: "money",
    head: headerOf(language),
    async read(most) {
      if (parsed === null) return [];
      const page = { perPage: most, offset: 0 };
      const [{ companies }, users] = await Promise.all([
        receivables(actor.tenant, deps.database, parsed, page),
        usersEver(actor.tenant, deps.database),
      ]);
      const beside = await besideOf(deps, request, companies, users);
      return companies.map((of) => ({ of, beside }));
    },
    cells: (row) => cellsOf(row, language, timeZone),
  });
};

function headerOf(language: Language): string[] {
  const { columns, buckets, tooMuch } = moneyWords[language];
  const { last, promised } = reminderWords[language];
  const ofFigures = FIGURES.map((name) =>
    name === "owed" || name === "overdue" ? columns[name] : name === "paid_too_much" ? tooMuch : buckets[name],
  );
  const head = [columns.company, reportWords[language].currency, ...ofFigures];
  return [...head, columns.oldest, last, promised, columns.owner];
}

function cellsOf(
  { of, beside: { owners, reminders, promises } }: { of: CompanyReceivable; beside: Beside },
  language: Language,
  timeZone: string,
): Cell[] {
  const reminder = reminders.get(of.companyId);
  const last =
    reminder === undefined
      ? ""
      : `${reminderWords[language].nth[reminder.level - 1]}, ${dayOf(language, reminder.at, timeZone)}`;
  return [
    of.companyName,
    of.currency,
    ...FIGURES.map((name) => cellOfNumber(of[name])),
    cellOfDay(of.oldest),
    last,
    cellOfDay(promises.get(of.companyId)?.until),
    owners.get(of.owner ?? "") ?? "",
  ];
}
