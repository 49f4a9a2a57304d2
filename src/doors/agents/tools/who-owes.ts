import { bucketNames } from "../../../orders/invoices/money-queries.ts";
import { flag, id, limit, list, resultSchema, text } from "../schemas.ts";
import type { JsonObject } from "../session.ts";
import type { ReadingTool } from "../tool.ts";

const amount = { type: "string" };
const figures = {
  owed: amount,
  overdue: amount,
  ...Object.fromEntries(bucketNames.map((name) => [name, amount])),
  paid_too_much: amount,
  invoices: { type: "integer" },
};

export const whoOwesTool: ReadingTool = {
  name: "who_owes",
  title: "Read who owes how much",
  description:
    "What companies owe, by the days since it was due, in each currency by itself: the sums of all in `totals`, and the " +
    "companies with the largest overdue amounts. With `as_of` as it was at the end of a day.",
  needs: ["reports:read"],
  input: {
    as_of: text("A day, as 2026-12-31.", 10),
    currency: text("Only this currency.", 10),
    assigned_to: { ...id, description: "Only the companies of this user.", minimum: 0 },
    overdue: flag("Only companies with an overdue amount."),
    limit,
  },
  output: {
    day: { type: "string" },
    totals: list(resultSchema({ currency: { type: "string" }, ...figures, companies: { type: "integer" } })),
    companies: list(
      resultSchema({
        company_id: id,
        name: { type: "string" },
        assigned_to: id,
        currency: { type: "string" },
        ...figures,
        oldest_due_on: { type: "string" },
      }),
    ),
    total: { type: "integer" },
  },
  async run(session, args, { rows }) {
    const { as_of, currency, assigned_to, overdue } = args as Record<string, string | number | boolean | undefined>;
    const most = Math.min(Number(args.limit ?? limit.default), rows);
    const sent = { as_of, currency, assigned_to, overdue: overdue === true ? "1" : undefined, per_page: most };
    const query = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
    );
    const { data } = await session.read(await session.call(session.deps, "GET /reports/receivables", { query }));
    const { page: _page, per_page: _perPage, ...report } = data as JsonObject;
    return report;
  },
};
