import assert from "node:assert/strict";
import { test } from "node:test";
import {
  FileRefusal,
  importReasonIn,
  rowMessages,
  type ImportReason,
} from "../../../../src/exchange/imports/reasons.ts";

/** Programs parse these sentences of `import --json` and of batches, so they must not change. */
const said: [ImportReason, string][] = [
  [{ code: "empty" }, "The file is empty: its first row names the columns."],
  [{ code: "archive" }, "The file is no text, but a workbook or another archive."],
  [
    { code: "headerUnreadable", why: { code: "badQuotes" } },
    "The header row cannot be read. The row has a quotation mark where CSV allows none, or one that is never closed.",
  ],
  [{ code: "columnTwice", column: "name" }, "The header names the column name twice."],
  [{ code: "columnMissing", columns: ["number", "title"] }, "The header has no column number or title."],
  [{ code: "tooManyColumns", most: 500 }, "The header names more than 500 columns."],
  [{ code: "notUtf8" }, "The row is not valid UTF-8."],
  [{ code: "tooLong" }, "The row is too long."],
  [{ code: "badQuotes" }, "The row has a quotation mark where CSV allows none, or one that is never closed."],
  [{ code: "tooManyCells", most: 500 }, "The row has more than 500 cells."],
  [{ code: "cellsMissing", cells: 2, columns: 3 }, "The row has 2 cells where the header has 3."],
  [{ code: "tooManyAlike", most: 1_000, field: "tax_id", value: "RO1" }, "More than 1000 rows have the tax_id RO1."],
  [{ code: "refused" }, "The database refused the row."],
  [{ code: "sent" }, "Cannot change an invoice that was sent to the warehouse."],
  [{ code: "tooManyLines", most: 500 }, "The lines field must not have more than 500 items."],
];

test("every reason is said by the commands as ever, and in Romanian on pages", () => {
  for (const [reason, sentence] of said) {
    assert.equal(importReasonIn("en", reason), sentence);
    assert.equal(new FileRefusal(reason).message, sentence);
    assert.doesNotMatch(importReasonIn("ro", reason), /^The |header|cannot/);
  }
  assert.deepEqual(rowMessages({ errors: { name: [{ code: "required" }] }, row: { code: "tooLong" } }), {
    row: ["The row is too long."],
    name: ["The name field is required."],
  });
});
