import { periods } from "../../../orders/reports/sales-period.ts";
import { dimensions, MOST_PARSED } from "../../../orders/reports/sales-queries.ts";
import { limit } from "../schemas.ts";
import type { ReadingTool } from "../tool.ts";

const day = { type: "string", pattern: String.raw`^\d{4}-\d\d-\d\d$` };

export const salesReportTool: ReadingTool = {
  name: "sales_report",
  title: "Read what was sold",
  description:
    "The invoices of a period beside the same days of the year before, in each currency: sums, columns by week, month " +
    "or year, and rows by company, owner, product, city or month, the largest first. Drafts and cancelled invoices are " +
    `left out. By product, a period with over ${MOST_PARSED} invoices has no rows. ` +
    "`stopped` lists those who bought in the year before, and nothing since.",
  needs: ["reports:read"],
  input: {
    period: { type: "string", enum: periods, description: "Until today; without it, the quarter." },
    from: { ...day, description: "The first day, instead of `period`." },
    to: { ...day, description: "The last day; without it, today." },
    by: { type: "string", enum: dimensions, description: "A row for each of these; without it, each company." },
    currency: { type: "string", description: "Only this currency." },
    assigned_to: { type: "integer", minimum: 0, description: "A user's companies; 0: those without an owner." },
    stopped: { type: "boolean" },
    page: { type: "integer", minimum: 1 },
    limit,
  },
  output: { sales: { type: "object" } },
  async run(session, args, { rows }) {
    const { limit: _limit, stopped, ...query } = args as Record<string, string | number | undefined>;
    const asked = { ...query, per_page: rows, stopped: stopped ? "1" : undefined };
    const { data } = await session.read(await session.call(session.deps, "GET /reports/sales", { query: asked }));
    return { sales: data };
  },
};
