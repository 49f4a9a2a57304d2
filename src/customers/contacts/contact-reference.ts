import { errors } from "../../kit/errors.ts";
import { detailedErrorSchema } from "../../kit/openapi/request-errors.ts";
import { metadataMember } from "../../kit/openapi/resource.ts";
import { nullable, timestampSchema } from "../../kit/openapi/schema.ts";
import { childReference } from "../company-children/child-reference.ts";
import { contact } from "./contact.ts";

/** The words of the contacts' endpoints. */
export const contactReference = childReference(contact, {
  tag: { name: "Contacts", description: "The people that you deal with at a company." },
  singular: "contact",
  merged: {
    name: "contactMerged",
    summary: "A contact that was merged into another",
    example: errors.contactMerged("1"),
    schema: detailedErrorSchema,
  },
  order: "primary contacts first, then by `first_name`",
  change: { job_title: "Chief buyer", mobile: null },
  lookUps: [
    {
      name: "email",
      in: "query",
      description: "Contacts with this e-mail address, compared without case.",
      schema: { type: "string", examples: ["ioana.popescu@transilvaniafoods.example"] },
    },
  ],
  readOnly: {
    metadata: metadataMember,
    last_contacted_at: {
      schema: nullable({
        ...timestampSchema,
        description: "The last call, e-mail or meeting with the person. Set by activities, not through the API.",
      }),
      example: null,
    },
    full_name: {
      schema: { type: "string", description: "`first_name`, a space, `last_name`.", examples: ["Ioana Popescu"] },
      example: "Ioana Popescu",
    },
  },
});
