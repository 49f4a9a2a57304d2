import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { longLocks } from "../migrations/long-locks.ts";
import { ROOT, read } from "./checkout.ts";

test("each migration has a number of its own, and no function's body", () => {
  const names = fs
    .readdirSync(path.join(ROOT, "migrations"))
    .filter((name) => name.endsWith(".sql") && name !== "schema.sql");
  const numbers = names.map((name) => /^\d{4}(?=_)/.exec(name)?.[0]);
  assert.deepEqual(numbers, [...new Set(numbers)], "take the next free number");
  const withBody = names.filter((name) =>
    /^\s*create (?:or replace )?(?:function|procedure)\b/im.test(read(`migrations/${name}`)),
  );
  assert.deepEqual(withBody, [], "a function's body stands in migrations/functions alone (migrations/README.md)");
});

/**
 * Functions of SQL that take more than linear time, and the migrations and bodies of functions that call them: with
 * columns and parameters alone that are bounded.
 */
const SUPERLINEAR = /\b(?:normalize|(?:word_|strict_word_)?similarity|levenshtein\w*|unaccent)\(|\bnormalized\b/i;
const WITH_BOUNDED_TEXTS = new Set([
  "0006_companies.sql",
  "schema.sql",
  // Long runs of marks are broken before.
  "0011_composed-texts.sql",
  "functions/companies_with_keys.sql",
  "functions/company_ids_by_tax_id.sql",
  "functions/company_ids_by_tax_number.sql",
  "functions/tax_number.sql",
  // Typed texts.
  "functions/find_activities.sql",
  "functions/find_companies.sql",
  "functions/find_contacts.sql",
  "functions/fold.sql",
  "functions/search_pattern.sql",
]);

test("SQL normalizes and compares by likeness only what is bounded before", () => {
  const called = fs
    .globSync("**/*.sql", { cwd: path.join(ROOT, "migrations") })
    .filter((name) => SUPERLINEAR.test(read(`migrations/${name}`).replaceAll(/--.*/g, "")));
  assert.deepEqual(
    called.filter((name) => !WITH_BOUNDED_TEXTS.has(name)),
    [],
    "no interrupt ends these functions. Bound what is sent to them by its field's max, or isSearchable(); then list the file here",
  );
});

test("no migration behind the last release, or the baseline, holds a lock for as long as a table has rows", () => {
  assert.deepEqual(
    longLocks(path.join(ROOT, "migrations")),
    [],
    "migrations/README.md has a table of what to write instead",
  );
});

/** All are known to PostgreSQL 15, the oldest that Liaison works with. A newer setting would stop its start there. */
const SETTINGS =
  /^(?:search_path|plan_cache_mode|enable_(?:seqscan|bitmapscan|sort|indexscan|indexonlyscan|nestloop|hashjoin))$/;

test("functions use no setting that PostgreSQL 15 lacks", () => {
  const files = fs.globSync("functions/*.sql", { cwd: path.join(ROOT, "migrations") });
  const used = files.flatMap((name) =>
    [...read(`migrations/${name}`).matchAll(/^ {2}set (\w+)/gm)].map(([, setting = ""]) => setting),
  );
  assert.ok(used.includes("plan_cache_mode"));
  assert.deepEqual(
    used.filter((name) => !SETTINGS.test(name)),
    [],
  );
});

/** Tables of which every node of a cluster has a copy. */
const COPIED = new Set(["public.tenants"]);

test("a function of SQL reads no table that a cluster distributes: another function could not call it", () => {
  const files = fs.globSync("functions/*.sql", { cwd: path.join(ROOT, "migrations") });
  const ofSql = files
    .map((name) => ({ name, text: read(`migrations/${name}`).replaceAll(/--.*/g, "") }))
    .filter(({ text }) => /\blanguage sql\b/.test(text));
  assert.ok(ofSql.length > 5);
  const reading = ofSql.filter(({ text }) =>
    [...text.matchAll(/\b(?:from|join)\s+(public\.\w+)(?!\w*\()/g)].some(([, table = ""]) => !COPIED.has(table)),
  );
  assert.deepEqual(
    reading.map(({ name }) => name),
    [],
    "write it in plpgsql, or its query where it is needed",
  );
});
