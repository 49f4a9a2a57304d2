import { pagingParameters } from "../../kit/openapi/parameters.ts";
import type { Reference } from "../../kit/openapi/reference.ts";
import { dataOf, integerSchema, named, nullable, objectSchema } from "../../kit/openapi/schema.ts";
import { amountSchema, currencySchema, daySchema, filterParameters, reportTag } from "./report-schemas.ts";
import { periods, units } from "./sales-period.ts";
import { dimensions, MOST_PARSED } from "./sales-queries.ts";

const count = integerSchema(0);

const sold = {
  sold: amountSchema,
  sold_before: { ...amountSchema, description: "In the same days of the year before." },
};
const invoices = { invoices: count, invoices_before: count };

/** The documentation of the report of sales. */
export const salesReference: Reference = {
  operationId: "showSales",
  tag: reportTag,
  summary: "Show what was sold",
  description:
    "The invoices of a period that are issued or paid, beside the same days of the year before, in each currency by " +
    "itself: sums, columns by week, month or year, and a page of rows. Drafts and cancelled invoices are left out.",
  query: [
    {
      name: "period",
      in: "query",
      description: "Until today; without it, the quarter.",
      schema: { type: "string", enum: periods, examples: ["year"] },
    },
    {
      name: "from",
      in: "query",
      description: "The first day, instead of `period`.",
      schema: { ...daySchema, examples: ["2026-10-01"] },
    },
    {
      name: "to",
      in: "query",
      description: "The last day. Without it: today.",
      schema: { ...daySchema, examples: ["2026-10-31"] },
    },
    {
      name: "by",
      in: "query",
      description:
        "A row for each of these; without it, `company`. A `product` is a SKU, with the amounts of its lines without " +
        "VAT.",
      schema: { type: "string", enum: dimensions, examples: ["company"] },
    },
    {
      name: "stopped",
      in: "query",
      description: "1: only rows with invoices in the year before, and none in the period.",
      schema: { ...integerSchema(0, 1), examples: [1] },
    },
    ...filterParameters,
    ...pagingParameters,
  ],
  success: {
    status: 200,
    description: "The sales. The days are null if those of the query are none.",
    schema: dataOf(
      named(
        "Sales",
        objectSchema({
          from: nullable(daySchema),
          to: nullable(daySchema),
          from_before: nullable(daySchema),
          to_before: nullable(daySchema),
          by: named("SalesDimension", nullable({ type: "string", enum: dimensions })),
          unit: named("SalesUnit", nullable({ type: "string", enum: units, description: "What a column is." })),
          totals: {
            type: "array",
            items: named(
              "SalesOfCurrency",
              objectSchema({
                currency: currencySchema,
                ...sold,
                ...invoices,
                companies: count,
                companies_before: count,
                new_companies: { ...count, description: "Companies whose first invoice is of these days." },
                new_companies_before: count,
                average: nullable(amountSchema),
                average_before: nullable(amountSchema),
              }),
            ),
          },
          columns: {
            type: "array",
            items: named("SalesColumn", objectSchema({ currency: currencySchema, from: daySchema, ...sold })),
          },
          rows: nullable({
            type: "array",
            maxItems: 200,
            description: `Null by \`product\` for over ${MOST_PARSED} invoices, those of the year before included.`,
            items: named(
              "SalesRow",
              objectSchema({
                key: nullable({
                  type: "string",
                  description: "The id of a company or owner, a SKU, a city, or a month. Null: without one.",
                  examples: ["1"],
                }),
                name: nullable({ type: "string", description: "The name of a company, or a product's description." }),
                currency: currencySchema,
                ...sold,
                difference: amountSchema,
                ...invoices,
                share: nullable({
                  type: "string",
                  description: "In percent of all rows of the currency.",
                  examples: ["10.5"],
                }),
                last_issued_on: nullable({
                  ...daySchema,
                  description: "The newest invoice of a company without any in the period.",
                }),
              }),
            ),
          }),
          left_out: named(
            "SalesLeftOut",
            objectSchema({
              drafts: count,
              cancelled: count,
              undated: { ...count, description: "Invoices without a day of issue, of any period." },
            }),
          ),
          total: nullable({ ...count, description: "The number of rows of all pages." }),
          page: integerSchema(1),
          per_page: integerSchema(1, 200),
        }),
      ),
    ),
    examples: {
      sales: {
        summary: "One company",
        value: {
          data: {
            from: "2026-11-01",
            to: "2026-11-07",
            from_before: "2025-11-01",
            to_before: "2025-11-07",
            by: "company",
            unit: "week",
            totals: [
              {
                currency: "RON",
                sold: "1250.50",
                sold_before: "0",
                invoices: 1,
                invoices_before: 0,
                companies: 1,
                companies_before: 0,
                new_companies: 1,
                new_companies_before: 0,
                average: "1250.50",
                average_before: null,
              },
            ],
            columns: [
              { currency: "RON", from: "2026-11-01", sold: "0", sold_before: "0" },
              { currency: "RON", from: "2026-11-02", sold: "1250.50", sold_before: "0" },
            ],
            rows: [
              {
                key: "1",
                name: "Transilvania Foods SRL",
                currency: "RON",
                sold: "1250.50",
                sold_before: "0",
                difference: "1250.50",
                invoices: 1,
                invoices_before: 0,
                share: "100.0",
                last_issued_on: null,
              },
            ],
            left_out: { drafts: 0, cancelled: 0, undated: 0 },
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
