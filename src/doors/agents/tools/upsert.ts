import { alikeTo } from "../../../customers/alike/alike-to.ts";
import { companyFields } from "../../../customers/companies/company.ts";
import { contactFields } from "../../../customers/contacts/contact.ts";
import type { CustomNoun } from "../../../customers/custom-fields/custom-field.ts";
import { withMembers } from "../../../kit/endpoint.ts";
import { errors } from "../../../kit/errors.ts";
import type { Schema } from "../../../kit/openapi/schema.ts";
import { invoice } from "../../../orders/invoices/invoice.ts";
import { CUSTOM } from "../../../platform/fields/custom.ts";
import { apiFields, type Field } from "../../../platform/fields/fields.ts";
import { fieldArguments, id } from "../schemas.ts";
import type { WritingTool } from "../tool.ts";
import { etag, fieldsOf, writeResource, writtenExternal, writtenOutput } from "../write-resource.ts";
import { companyResult } from "./get-company.ts";
import { contactResult } from "./get-contact.ts";
import { invoiceResult } from "./get-invoice.ts";
import { asksBeforeMoneyOrGoodsMove } from "./issued-invoice.ts";
import { alikeSchema } from "./preview-batch.ts";

/** Checked by the endpoint. The listed tool has the fields of the workspace (custom-schemas.ts). */
const custom: Schema = { type: "object" };

export const upsertCompanyTool = upsertTool({
  name: "upsert_company",
  title: "Create or change a company",
  description:
    "With `id` it changes the fields that you send, and no others; null clears a field. Without `id` it creates a " +
    "company, which needs a name. It never creates a second company with the same tax id: the error names the first. " +
    "`alike` has companies that look like the new one: merge_companies, or leave both.",
  needs: ["companies:write"],
  member: "company",
  fields: companyFields,
  result: companyResult,
  paths: { one: "/companies/{id}", all: "/companies" },
});

export const upsertContactTool = upsertTool({
  name: "upsert_contact",
  title: "Create or change a contact",
  description:
    "With `id` it changes the fields of a person that you send, and no others; null clears a field. Without `id` it " +
    "creates a person at `company` (its id), which needs both names.",
  needs: ["contacts:write"],
  member: "contact",
  fields: apiFields(contactFields),
  result: contactResult,
  paths: { one: "/contacts/{id}", all: "/companies/{company}/contacts" },
});

export const upsertInvoiceTool = upsertTool({
  name: "upsert_invoice",
  title: "Create or change an invoice",
  description:
    "With `id` it changes the fields that you send, and no others; `lines` replace all lines. Without `id` it creates an " +
    "invoice of `company` (its id), which needs a number. A number is never used twice: the error names its invoice. If " +
    "its payments change, or its company sends invoices automatically, the person may be asked first.",
  needs: ["invoices:write"],
  member: "invoice",
  fields: invoice.fields,
  result: invoiceResult,
  paths: { one: "/invoices/{id}", all: "/companies/{company}/invoices" },
  ...asksBeforeMoneyOrGoodsMove,
});

/** A tool that creates a resource, or changes it if its id is args. */
function upsertTool({
  member,
  fields,
  result,
  paths,
  ...words
}: Pick<WritingTool, "name" | "title" | "description" | "needs" | "asksIf" | "preview"> & {
  member: CustomNoun;
  fields: readonly Field[];
  result: Parameters<typeof writtenOutput>[1];
  paths: Parameters<typeof writeResource>[2];
}): WritingTool {
  const isOfCompany = paths.all.includes("{company}");
  return {
    ...words,
    writes: { isDestructive: false },
    custom: { noun: member, member },
    input: {
      id,
      ...(isOfCompany && { company: id }),
      etag,
      external: writtenExternal,
      ...fieldArguments(fields),
      custom,
    },
    output: { ...writtenOutput(member, result), ...(!isOfCompany && { alike: alikeSchema }) },
    async run(session, args, deps) {
      if (isOfCompany && args.id === undefined && args.company === undefined) {
        throw errors.validationFailed({ company: [{ code: "required" }] });
      }
      const sent = fieldsOf(args, [...fields, { name: CUSTOM }]);
      const isNewCompany = !isOfCompany && args.id === undefined;
      const [alike = []] = isNewCompany ? await alikeTo(session.deps, session.actor.tenant, [sent]) : [];
      // A company's result has its terms only where they were sent.
      const included = sent.terms === undefined ? null : { query: { include: "terms" } };
      const written = await writeResource(session, deps, { ...paths, ...included }, { member, args, fields: sent });
      return alike.length === 0
        ? written
        : { ...written, json: withMembers(written.json as string, `,"alike":${JSON.stringify(alike)}`) };
    },
  };
}
