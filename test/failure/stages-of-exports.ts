import assert from "node:assert/strict";
import { kindNames } from "../../src/exchange/imports/kinds.ts";
import type { Stage } from "./expanding-stages.ts";

/** The files of lists, as CSV and as workbooks. */
export const exported: Stage[] = [
  ...kindNames.map((kind) => `/export/${kind}.csv`),
  "/companies/export?search=Company",
  "/contacts/export?search=A1",
  "/orders/export?view=all",
  "/money/export",
  "/sales/export",
  "/companies/{id}/statement/export",
]
  .flatMap((path) => [path, `${path}${path.includes("?") ? "&" : "?"}format=xlsx`])
  .map((path) => ({
    what: `the file ${path}`,
    files: [
      "src/exchange/exports/export-rows.ts",
      "src/exchange/exports/export-file.ts",
      "src/kit/files/report-file.ts",
      "src/kit/files/workbook.ts",
      "src/kit/files/zip.ts",
      "src/desk/money/statement-page.ts",
      "src/orders/payments/statement-queries.ts",
      "src/desk/company-list/narrowed-export-queries.ts",
      "src/desk/contact-list/contact-list.ts",
      "src/desk/order-list/order-list.ts",
      "src/desk/order-list/order-file.ts",
      "src/orders/wms/orders/order-file-queries.ts",
    ],
    feed: async ({ member, ids }) => assert.equal((await member.get(path.replace("{id}", ids.company))).status, 200),
  }));
