import { idSchema } from "./member-schemas.ts";
import { objectSchema, type Schema } from "./schema.ts";

/** The shapes of every body that is neither a resource nor a page (specification 7.2). */
export const errorSchemas: Record<string, Schema> = {
  Error: objectSchema({ error: { type: "string" } }),
  Message: objectSchema({ message: { type: "string" } }),
  ValidationFailed: objectSchema({
    error: { type: "string", const: "Validation failed." },
    errors: {
      type: "object",
      description: "The failing fields, in the order of the fields' table, each with its messages.",
      minProperties: 1,
      additionalProperties: { type: "array", minItems: 1, items: { type: "string" } },
    },
  }),
  DeletionBlocked: objectSchema({
    error: { type: "string", const: "Cannot delete company with related records." },
    details: {
      type: "string",
      description: "The kinds in the way, among invoices, offers, deals, tickets and subscriptions, in that order.",
      pattern: String.raw`^Blocked by: \w+(, \w+)*\.$`,
    },
  }),
  TaxIdTaken: objectSchema({
    error: { type: "string", const: "Company with this tax_id already exists." },
    data: {
      description: "The company that has the `tax_id`.",
      ...objectSchema({ id: idSchema, name: { type: "string" }, tax_id: { type: "string" } }),
    },
  }),
};
