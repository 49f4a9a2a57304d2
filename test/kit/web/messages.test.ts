import assert from "node:assert/strict";
import { test } from "node:test";
import { recordOfKind } from "../../../src/customers/records/record.ts";
import { messagesIn } from "../../../src/kit/web/messages.ts";
import { passwordComplaint } from "../../../src/people/users/password.ts";
import { fieldMessages, type FieldErrors } from "../../../src/platform/fields/field-reasons.ts";
import type { FieldTable } from "../../../src/platform/fields/fields.ts";
import { validate } from "../../../src/platform/fields/validation.ts";

/** A field of each kind, so that every rule of validation.ts has a message. */
const fields: FieldTable = [
  { name: "name", kind: "string", max: 5, required: true },
  { name: "email", kind: "email", max: 255 },
  { name: "count", kind: "integer", min: 0, max: 10 },
  { name: "owner", kind: "user" },
  { name: "on", kind: "boolean", default: false },
  { name: "day", kind: "date" },
  { name: "at", kind: "timestamp" },
  { name: "total", kind: "decimal" },
  { name: "lines", kind: "list", max: 1, items: [{ name: "unit_price", kind: "decimal" }] },
  { name: "status", kind: "enum", values: ["a"], default: "a" },
  { name: "web_site", kind: "url", max: 30 },
  { name: "types", kind: "enums", values: ["a"], max: 2 },
];

/** Inputs and the API's messages: clients know these sentences, so they must not change. */
const said: [input: Record<string, unknown>, messages: Record<string, string[]>][] = [
  [{ name: null }, { name: ["The name field is required."] }],
  [{ name: 7 }, { name: ["The name field must be a string."] }],
  [{ name: "longer than five" }, { name: ["The name field must not be greater than 5 characters."] }],
  [{ name: "a\0b" }, { name: ["The name field contains invalid characters."] }],
  [{ email: "no" }, { email: ["The email field must be a valid email address."] }],
  [{ count: "x" }, { count: ["The count field must be an integer."] }],
  [{ count: -1 }, { count: ["The count field must be at least 0."] }],
  [{ count: 11 }, { count: ["The count field must not be greater than 10."] }],
  [{ on: "maybe" }, { on: ["The on field must be true or false."] }],
  [{ on: null }, { on: ["The on field must be true or false."] }],
  [{ day: "2026-02-30" }, { day: ["The day field must be a valid date."] }],
  [{ at: "yesterday" }, { at: ["The at field must be a valid date and time."] }],
  [{ total: "1e3" }, { total: ["The total field must be a number."] }],
  [{ lines: 1 }, { lines: ["The lines field must be an array."] }],
  [{ lines: [1] }, { "lines.0": ["The lines.0 field must be an object."] }],
  [{ lines: [{}, {}] }, { lines: ["The lines field must not have more than 1 items."] }],
  [{ lines: [{ unit_price: "x" }] }, { "lines.0.unit_price": ["The lines.0.unit price field must be a number."] }],
  [{ status: "b" }, { status: ["The selected status is invalid."] }],
  [{ status: null }, { status: ["The selected status is invalid."] }],
  [{ web_site: "no" }, { web_site: ["The web site field must be a valid URL."] }],
  [{ types: null }, { types: ["The types field must be an array."] }],
  [{ types: [] }, { types: ["The types field is required."] }],
  [{ types: ["a", "b"] }, { "types.1": ["The selected types.1 is invalid."] }],
  [{ types: ["a", "a", "a"] }, { types: ["The types field must not have more than 2 items."] }],
  [
    { count: 10.5, web_site: "x".repeat(31) },
    {
      count: ["The count field must be an integer.", "The count field must not be greater than 10."],
      web_site: [
        "The web site field must be a valid URL.",
        "The web site field must not be greater than 30 characters.",
      ],
    },
  ],
];

const owner = { email: "ana.pop@example.com", workspace: "acme" };
const passwords = [
  ["short", "must be at least 12 characters."],
  ["x".repeat(1001), "must not be greater than 1000 characters."],
  ["violet\0harbour", "contains invalid characters."],
  [owner.email, "must not be the e-mail address or the workspace."],
  ["password1234", "must not be one of the commonest passwords."],
] as const;

const all: [errors: FieldErrors, messages: Record<string, string[]>][] = [
  ...said.map(([input, messages]): [FieldErrors, Record<string, string[]>] => {
    return [validate(fields, input, "update").errors ?? {}, messages];
  }),
  ...passwords.map(([password, message]): [FieldErrors, Record<string, string[]>] => {
    const complaint = passwordComplaint(password, owner);
    return [complaint === null ? {} : { password: [complaint] }, { password: [`The password field ${message}`] }];
  }),
  [
    recordOfKind("offers").rule?.({ number: null, title: null }) ?? {},
    { number: ["The number field is required when title is not present."] },
  ],
];

test("every message of a field is said by the API as ever", () => {
  for (const [errors, messages] of all) assert.deepEqual(fieldMessages(errors), messages);
});

test("every message of a field is said in the page's language, with the label that the page has for the field", () => {
  for (const [errors, messages] of all) {
    for (const language of ["en", "ro"] as const) {
      const labels = Object.fromEntries(Object.keys(errors).map((name) => [name, "Eticheta"]));
      for (const [name, sentences] of Object.entries(messagesIn(language, errors, labels))) {
        assert.equal(sentences.length, messages[name]?.length);
        for (const sentence of sentences) {
          assert.match(sentence, /Eticheta/);
          if (language === "ro") assert.doesNotMatch(sentence, /field|must|selected/);
        }
      }
    }
  }
});
