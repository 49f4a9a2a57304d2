import { errors } from "../../errors.ts";
import { invoice } from "../../invoices/invoice.ts";
import { fieldArguments, id } from "../schemas.ts";
import type { WritingTool } from "../tool.ts";
import { etag, fieldsOf, writeResource, writtenExternal, writtenSchema } from "../write-resource.ts";
import { invoiceResult } from "./get-invoice.ts";

export const upsertInvoiceTool: WritingTool = {
  name: "upsert_invoice",
  title: "Create or change an invoice",
  description:
    "With `id` it changes the fields that you send, and no others; `lines` replace all lines. Without `id` it creates an " +
    "invoice of `company` (its id), which needs a number. A number is never used twice: the error names its invoice.",
  needs: ["invoices:write"],
  writes: { isDestructive: false },
  input: { id, company: id, etag, external: writtenExternal, ...fieldArguments(invoice.fields) },
  output: writtenSchema("invoice", invoiceResult),
  async run(session, given, deps) {
    if (given.id === undefined && given.company === undefined) {
      throw errors.validationFailed({ company: [{ code: "required" }] });
    }
    const paths = { one: "/invoices/{id}", all: "/companies/{company}/invoices" };
    const fields = fieldsOf(given, invoice.fields);
    return await writeResource(session, deps, paths, { member: "invoice", given, fields });
  },
};
