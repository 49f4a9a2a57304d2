import { pagingParameters } from "../../kit/openapi/parameters.ts";
import type { Reference } from "../../kit/openapi/reference.ts";
import { dataOf, idSchema, integerSchema, named, nullable, objectSchema } from "../../kit/openapi/schema.ts";
import { bucketNames } from "../invoices/money-queries.ts";
import { amountSchema, currencySchema, daySchema, filterParameters, reportTag } from "./report-schemas.ts";

const figures = {
  owed: { ...amountSchema, description: "The sum of the rests of invoices, without amounts that were paid too much." },
  overdue: { ...amountSchema, description: "The part whose day of payment has passed." },
  ...Object.fromEntries(bucketNames.map((name) => [name, amountSchema])),
  paid_too_much: { ...amountSchema, description: "What was paid beyond totals, and of cancelled invoices." },
  invoices: { ...integerSchema(0), description: "The number of open invoices." },
};

const example = {
  owed: "1250.50",
  overdue: "250.50",
  not_due: "1000.00",
  days_1_30: "250.50",
  days_31_60: "0",
  days_61_90: "0",
  days_over_90: "0",
  paid_too_much: "0",
  invoices: 2,
};

/** The documentation of the report of receivables. */
export const receivablesReference: Reference = {
  operationId: "showReceivables",
  tag: reportTag,
  summary: "Show who owes how much",
  description:
    "The ageing of open invoices by the days since they were due, in each currency by itself: the sums of all, and the " +
    "companies of a page, the largest overdue amount first. A company is there once for each currency.",
  query: [
    {
      name: "as_of",
      in: "query",
      description:
        "A day, which counts invoices issued and payments made until then. Without it: today, with everything.",
      schema: { ...daySchema, examples: ["2026-12-31"] },
    },
    ...filterParameters,
    {
      name: "overdue",
      in: "query",
      description: "1: companies without an overdue amount are left out.",
      schema: { ...integerSchema(0, 1), examples: [1] },
    },
    ...pagingParameters,
  ],
  success: {
    status: 200,
    description: "The ageing.",
    schema: dataOf(
      named(
        "Receivables",
        objectSchema({
          day: daySchema,
          totals: {
            type: "array",
            items: named(
              "ReceivablesOfCurrency",
              objectSchema({ currency: currencySchema, ...figures, companies: integerSchema(0) }),
            ),
          },
          companies: {
            type: "array",
            maxItems: 200,
            items: named(
              "ReceivablesOfCompany",
              objectSchema({
                company_id: idSchema,
                name: { type: "string" },
                assigned_to: nullable(idSchema),
                currency: currencySchema,
                ...figures,
                oldest_due_on: nullable({ ...daySchema, description: "The due day that is overdue the longest." }),
              }),
            ),
          },
          total: {
            ...integerSchema(0),
            description: "The number of companies of all pages, each once for a currency.",
          },
          page: integerSchema(1),
          per_page: integerSchema(1, 200),
        }),
      ),
    ),
    examples: {
      ageing: {
        summary: "One company",
        value: {
          data: {
            day: "2026-11-28",
            totals: [{ currency: "RON", ...example, companies: 1 }],
            companies: [
              {
                company_id: 1,
                name: "Transilvania Foods SRL",
                assigned_to: null,
                currency: "RON",
                ...example,
                oldest_due_on: "2026-11-20",
              },
            ],
            total: 1,
            page: 1,
            per_page: 50,
          },
        },
      },
    },
  },
  errors: [],
};
