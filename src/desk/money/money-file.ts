import { exportTable } from "../../exchange/imports/export-file.ts";
import { writtenNumber } from "../../kit/web/assets/numbers.js";
import type { Language } from "../../kit/web/language.ts";
import type { Page } from "../../kit/web/page.ts";
import { bucketNames, type CompanyReceivable } from "../../orders/reports/receivables-queries.ts";
import { reportWords } from "../reports/report-words.ts";
import { allReceivables } from "./money-page.ts";
import { moneyWords } from "./money-words.ts";

const FIGURES = ["owed", "overdue", ...bucketNames, "paid_too_much"] as const;

/** GET /money/export: the rows of the page with the same query, all of them. */
export const exportMoneyPage: Page = async (deps, request) => {
  const { language } = request;
  async function* batches(): AsyncGenerator<string[][]> {
    for await (const some of allReceivables(deps, request)) yield some.map((of) => cellsOf(of, language));
  }
  return exportTable(deps, request, { file: "money.csv", head: headerOf(language), batches });
};

function headerOf(language: Language): string[] {
  const { columns, buckets, tooMuch } = moneyWords[language];
  const ofFigures = FIGURES.map((name) =>
    name === "owed" || name === "overdue" ? columns[name] : name === "paid_too_much" ? tooMuch : buckets[name],
  );
  return [columns.company, reportWords[language].currency, ...ofFigures, columns.oldest];
}

function cellsOf(of: CompanyReceivable, language: Language): string[] {
  return [of.companyName, of.currency, ...FIGURES.map((name) => writtenNumber(of[name], language)), of.oldest ?? ""];
}
