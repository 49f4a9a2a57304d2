import assert from "node:assert/strict";
import { kindNames } from "../../src/exchange/imports/kinds.ts";
import { png } from "../kit/paper/pictures.ts";
import type { Stage } from "./expanding-stages.ts";

/** The PDF of an invoice with 500 lines, and a logo that unpacks to a hundred times its size. */
const paper: Stage = {
  what: "the PDF of an invoice",
  files: ["src/kit/paper/picture.ts", "src/desk/invoice-pages/invoice-pdf.ts"],
  feed: async ({ member, api, ids }) => {
    const line = {
      sku: "S",
      description: '"'.repeat(255),
      quantity: "1",
      unit_price: "2",
      unit: "pcs",
      vat_rate: "21",
    };
    const body = JSON.stringify({ lines: Array.from({ length: 500 }, () => line) });
    assert.equal((await api(`/invoices/${ids.invoice}`, { method: "PUT", body })).status, 200);
    await member.upload("/workspace/logo", {}, { "logo.png": png(2_400, 2_400) });
    assert.equal((await member.get(`/invoices/${ids.invoice}/pdf`)).status, 200);
  },
};

/** The files of lists, as CSV and as workbooks. */
const lists: Stage[] = [
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
      "src/exchange/exports/page-export.ts",
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

export const exported: readonly Stage[] = [...lists, paper];
