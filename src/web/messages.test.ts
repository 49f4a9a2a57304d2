import assert from "node:assert/strict";
import { test } from "node:test";
import type { FieldTable } from "../platform/fields/fields.ts";
import { selectedIsInvalid, validate, type FieldErrors } from "../platform/fields/validation.ts";
import { passwordComplaint } from "../users/password.ts";
import { messagesIn } from "./messages.ts";

/** A field of each kind, so that every rule of validation.ts has its message. */
const fields: FieldTable = [
  { name: "name", kind: "string", max: 5, required: true },
  { name: "email", kind: "email", max: 255 },
  { name: "count", kind: "integer", min: 0, max: 10 },
  { name: "owner", kind: "user" },
  { name: "on", kind: "boolean", default: false },
  { name: "day", kind: "date" },
  { name: "at", kind: "timestamp" },
  { name: "total", kind: "decimal" },
  { name: "lines", kind: "list", max: 1, items: [{ name: "sku", kind: "string", max: 3 }] },
  { name: "status", kind: "enum", values: ["a"], default: "a" },
];

const wrong: Record<string, unknown>[] = [
  { name: null },
  { name: 7 },
  { name: "longer than five" },
  { name: "a\0b" },
  { email: "no" },
  { count: "x" },
  { count: -1 },
  { count: 11 },
  { on: "maybe" },
  { on: null },
  { day: "2026-02-30" },
  { at: "yesterday" },
  { total: "1e3" },
  { lines: 1 },
  { lines: [1] },
  { lines: [{}, {}] },
  { status: "b" },
  { status: null },
];

const owner = { email: "ana.pop@example.com", workspace: "acme" };
const passwords = ["short", "x".repeat(1001), "violet\0harbour", owner.email, "password1234"];

const all: FieldErrors[] = [
  ...wrong.map((input) => validate(fields, input, "update").errors ?? {}),
  { owner: [selectedIsInvalid("owner")] },
  ...passwords.map((password) => ({ password: [passwordComplaint(password, owner) ?? ""] })),
];

test("every message of a field is said in the page's language, with the label that the page has for the field", () => {
  assert.equal(all.flatMap((errors) => Object.values(errors).flat()).length, wrong.length + 1 + passwords.length);
  for (const errors of all) {
    const [name = ""] = Object.keys(errors);
    for (const language of ["en", "ro"] as const) {
      const said = messagesIn(language, errors, { [name]: "Eticheta" })[name] ?? [];
      assert.equal(said.length, errors[name]?.length);
      for (const message of said) {
        assert.match(message, /Eticheta/);
        assert.doesNotMatch(message, language === "ro" ? /field|must|selected/ : /field/);
      }
    }
  }
});
