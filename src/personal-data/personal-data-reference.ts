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
    "Removes a contact, deleted or not, and what is said of the person elsewhere: in its history, whose changes " +
    "keep who and when, in the notes of its activities, in answers that are kept of requests, in imports and in lists of what was " +
    "opened last. From then on it is missing, for good. The history gets a change `erased`. Nothing that can be asked has the person any " +
    "more; the database's disk overwrites what was removed when it needs the place, and backups of before have it.",
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
