import assert from "node:assert/strict";
import { test } from "node:test";
import { production, withoutComments } from "./checkout.ts";

const placements: { what: string; pattern: RegExp; allowed: RegExp; belongs: string }[] = [
  {
    what: "SQL",
    pattern:
      /[`"']\s*(?:select\s+[\w$*('(]|insert\s+into\s|update\s+\w+\s+(?:\w+\s+)?set\s|delete\s+from\s|with\s+\w+\s+as\s)/,
    allowed: /^src\/(?:platform\/|.*-(?:queries|reads)\.ts$)/,
    belongs: "into the noun's *-queries.ts or *-reads.ts",
  },
  {
    what: "process.env",
    pattern: /\bprocess\.env\b/, // The samples of the reference are programs as texts.
    allowed: /\/(?:config|reference\/samples)\.ts$/,
    belongs: "into config.ts",
  },
  {
    what: "pg",
    pattern: /from "pg(?:-\w+)*"/,
    allowed: /^src\/platform\/(?:postgres|cluster)\//,
    belongs: "into platform/postgres/; use the Database of its database.ts",
  },
  {
    what: "the clock",
    pattern: /\bDate\.now\(|\bnew Date\(\)/,
    allowed: /^src\/platform\/clock\.ts$/,
    belongs: "into platform/clock.ts; call its now()",
  },
  {
    what: "console",
    pattern: /\bconsole\.\w+\(/,
    allowed: /^src\/(?:cli\/|.*\breference\/samples\.ts$)/,
    belongs: "into cli/; elsewhere use the logger",
  },
  {
    what: "normalize(), which takes quadratic time on combining marks,",
    pattern: /\bnormalize\(/,
    // A browser normalizes what was typed into it.
    allowed: /\/(?:platform\/text\.ts|companies\/company-bulk-queries\.ts|web\/assets\/.*)$/,
    belongs: "into platform/text.ts; call normalized() or comparable() with the most code points that a text may have",
  },
  {
    what: "a collation, which normalizes texts of any length,",
    pattern: /\.localeCompare\(|\bIntl\.Collator\b/,
    // The names of some languages.
    allowed: /\/contacts\/contact-languages\.ts$/,
    belongs: "nowhere: have PostgreSQL sort what is bounded, or compare with < and >",
  },
  {
    what: "a table",
    pattern: /<table/,
    // A form's lines that a script adds, a comparison with heads of rows, and tables of the documentation.
    allowed: /\/(?:tables\/rows|invoices\/pages\/line-table|wms\/pages\/evidence|reference\/html-blocks)\.ts$/,
    belongs: "into its columns; call rowTable() of tables/rows.ts, or shortList() or listPages() for a whole list",
  },
  { what: "a default export", pattern: /^export default\b/m, allowed: /^$/, belongs: "by name: export it so" },
];

for (const { what, pattern, allowed, belongs } of placements) {
  test(`${what} stands where it belongs`, () => {
    const found = production.filter(({ name, text }) => !allowed.test(name) && pattern.test(withoutComments(text)));
    assert.deepEqual(
      found.map(({ name }) => `${name}: ${what} belongs ${belongs}`),
      [],
    );
  });
}
