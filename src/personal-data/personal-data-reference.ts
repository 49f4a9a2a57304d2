import { contactReference } from "../contacts/contact-reference.ts";
import type { Reference } from "../openapi/reference.ts";
import { resourceMissing } from "../openapi/request-errors.ts";
import { idSchema, integerSchema, named, objectSchema, timestampSchema } from "../openapi/schema.ts";
import { erasedTables, type Receipt } from "./erase-contact-queries.ts";

const example: Receipt = {
  erased: { contacts: 1, changes: 4, activities: 2, kept_answers: 1, import_rows: 1, last_opened: 3 },
  files: [{ import_id: 12, file_name: "contacts.csv", kept_until: "2026-12-21T14:02:31.000250Z" }],
};

const rows = integerSchema(0);

/** The documentation of the endpoint that erases a contact. */
export const eraseContactReference: Reference = {
  operationId: "eraseContact",
  tag: contactReference.show.tag,
  summary: "Erase a person's data",
  description:
    "Removes a contact, deleted or not, and the person's data elsewhere: in its history (each change keeps its author and " +
    "time), in the notes of its activities, in stored answers, in imports and in lists of records opened last. It cannot " +
    "be restored. The history gets a change `erased`. No answer has the person's data any more. The database's disk " +
    "overwrites it later, and older backups still have it.",
  success: {
    status: 200,
    description: "The person's data is erased.",
    schema: named(
      "ErasureReceipt",
      objectSchema({
        erased: named("ErasedRows", {
          description: "By table, the rows that were removed or emptied.",
          ...objectSchema(Object.fromEntries(erasedTables.map((table) => [table, rows]))),
        }),
        files: {
          type: "array",
          description:
            "Uploaded files that have the person, or may have, and are removed by themselves at `kept_until`.",
          items: named(
            "KeptImportFile",
            objectSchema({ import_id: idSchema, file_name: { type: "string" }, kept_until: timestampSchema }),
          ),
        },
      }),
    ),
    examples: { erased: { summary: "Erased, but for a file", value: example } },
  },
  errors: [resourceMissing("Contact")],
};
