import { cellOfNumber } from "../../kit/files/cells.ts";
import { exportTable } from "../../kit/files/report-file.ts";
import { wholeNumber } from "../../kit/web/language.ts";
import type { Page } from "../../kit/web/page.ts";
import { parseSales } from "../../orders/reports/parse-sales.ts";
import { MOST_PARSED, salesOf, type SalesRow } from "../../orders/reports/sales-queries.ts";
import { usersEver } from "../../people/users/user-queries.ts";
import { dayAfter } from "../../platform/dates.ts";
import { reportWords } from "../reports/report-words.ts";
import { salesRowName } from "./sales-page.ts";
import { salesWords } from "./sales-words.ts";

/** GET /sales/export: the rows of the page with the same query, all of them. */
export const exportSalesPage: Page = async (deps, request) => {
  const { actor, language, query, session } = request;
  const words = salesWords[language];
  const parsed = parseSales(query, dayAfter(0, session.workspace.timeZone));
  const names = new Map((await usersEver(actor.tenant, deps.database)).map(({ id, name }) => [id, name]));
  const sums = [words.sold, words.invoices, words.share, words.yearBefore, words.difference];
  const head = [words.heads[parsed?.by ?? "company"], reportWords[language].currency, ...sums];
  return exportTable<SalesRow | null>(deps, request, {
    file: "sales",
    head,
    read: async (most) => {
      if (parsed === null) return [];
      const found = await salesOf(actor.tenant, deps.database, parsed, { perPage: most, offset: 0 });
      return found.hasTooManyLines ? [null] : found.rows;
    },
    cells: (of) =>
      of === null
        ? [words.tooManyLines(wholeNumber(language, MOST_PARSED))]
        : [
            salesRowName(of, parsed?.by ?? "company", names, language),
            of.currency,
            cellOfNumber(of.sold),
            { number: String(of.invoices) },
            cellOfNumber(of.share),
            cellOfNumber(of.sold_before),
            cellOfNumber(of.difference),
          ],
  });
};
