import { contactReference } from "../../customers/contacts/contact-reference.ts";
import type { Reference } from "../../kit/openapi/reference.ts";
import { resourceMissing } from "../../kit/openapi/request-errors.ts";
import { idSchema, integerSchema, named, objectSchema, timestampSchema } from "../../kit/openapi/schema.ts";
import { erasedTables, type Receipt } from "./erase-contact-queries.ts";

const example: Receipt = {
  erased: {
    contacts: 1,
    changes: 4,
    activities: 2,
    planned_calls: 1,
    kept_answers: 1,
    import_rows: 1,
    last_opened: 3,
    mails: 1,
    merges: 0,
  },
  merged: [62],
  files: [{ import_id: 12, file_name: "contacts.csv", kept_until: "2026-12-21T14:02:31.000250Z" }],
};

const rows = integerSchema(0);

/** The documentation of the endpoint that erases a contact. */
export const eraseContactReference: Reference = {
  operationId: "eraseContact",
  tag: contactReference.show.tag,
  summary: "Erase a person's data",
  description:
    "Removes a contact for good, deleted or not, with what the service stores about the person: the values in its history, the notes " +
    "of its activities, stored answers, imports, and lists of records that were opened last. The history keeps the author and the time " +
    "of each change, and gets a change `erased`. Earlier backups still have the person. The database overwrites the removed bytes " +
    "on its disk later.",
  success: {
    status: 200,
    description: "The person's data is erased.",
    schema: named(
      "ErasureReceipt",
      objectSchema({
        erased: named("ErasedRows", {
          description: "For each table, the number of rows that were removed or emptied.",
          ...objectSchema(Object.fromEntries(erasedTables.map((table) => [table, rows]))),
        }),
        merged: {
          type: "array",
          description:
            "The ids of the contacts that were merged into it, which are erased too. An older backup has them as contacts of their own.",
          items: idSchema,
        },
        files: {
          type: "array",
          description:
            "Uploaded files that contain the person, or may contain the person. They are removed automatically at `kept_until`.",
          items: named(
            "KeptImportFile",
            objectSchema({ import_id: idSchema, file_name: { type: "string" }, kept_until: timestampSchema }),
          ),
        },
      }),
    ),
    examples: { erased: { summary: "Erased, but for a file", value: example } },
  },
  errors: [resourceMissing("Contact", { "x-merged-into": "61" })],
};
