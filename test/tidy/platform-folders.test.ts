import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { production } from "./checkout.ts";

/**
 * The folders of platform/: which others each may import, and which of its files may be imported from outside. `root`
 * are the files that only the composition root (deps.ts, doors/, cli/) and other folders need. What is loose in
 * platform/ imports none of them.
 */
const FOLDERS: Record<string, { above: string[]; open: string[]; root: string[] }> = {
  metrics: { above: [], open: ["tallies"], root: ["histogram", "metric", "process-metrics"] },
  sharing: {
    above: [],
    open: ["bell", "caller", "gather", "one-for-many", "overloaded", "places", "prices"],
    root: ["holder", "presence", "shares", "sharing", "slow-work", "time"],
  },
  postgres: {
    above: ["sharing", "metrics"],
    open: [
      "database",
      "statement",
      "tenant-id",
      "as-owner",
      "failures",
      "taken",
      "collect-statistics",
      "copy-lines",
      "database-identity",
      "held-calls",
      "in-steps",
      "loading",
      "earlier-schema",
      "migration-files",
      "open-database",
      "query",
      "remove-tenant-rows",
      "snapshot",
      "tenant-memory",
      "last-backup",
      "stored-tables",
    ],
    root: [
      "advisory-locks",
      "distribution",
      "external-postgres",
      "migrate",
      "migration-standing",
      "news",
      "notifications",
      "ready",
      "request-role",
      "settings",
      "statement-tallies",
    ],
  },
  cluster: { above: ["postgres"], open: [], root: ["cluster-error", "embedded-postgres"] },
  passwords: { above: [], open: ["password-hash"], root: [] },
  encryption: { above: ["postgres"], open: ["key-file", "keyring", "phone-digest", "sealed"], root: ["key-rotation"] },
  fields: {
    above: ["postgres", "encryption"],
    open: [
      "fields",
      "writer",
      "draft",
      "long-texts",
      "list-items",
      "grouped-fields",
      "row-state",
      "validation",
      "field-reasons",
      "json",
      "reader",
      "sql",
      "bulk",
      "exports",
      "stored-values",
      "external-ids",
      "custom",
    ],
    root: [],
  },
  http: {
    above: ["sharing", "postgres", "encryption", "fields"],
    open: [
      "cursor",
      "http-error",
      "entity-tag",
      "moment-cursor",
      "since",
      "pagination",
      "answers",
      "assets",
      "outgoing",
    ],
    root: [
      "body",
      "caller",
      "compression",
      "cross-origin",
      "drain",
      "json-body",
      "loopback",
      "packed-body",
      "rate-limit",
      "rate-news",
      "rate-totals",
      "route-pattern",
      "server",
      "unrouted",
      "url",
    ],
  },
  reads: {
    above: ["http", "postgres", "fields", "encryption"],
    open: [
      "by-time",
      "custom-values",
      "every-id",
      "embedded",
      "filters",
      "found",
      "numbered",
      "order",
      "reads",
      "statements",
      "walk",
    ],
    root: ["formatted-sql"],
  },
  outbound: {
    above: ["metrics"],
    open: ["http-client", "retry-after", "call-tallies"],
    root: ["lazy-clients", "smtp-client", "smtp-url"],
  },
};

test("the folders of platform/ import downwards only, and are entered by their open files", () => {
  const complaints = production.flatMap(({ name, imports }) =>
    imports.flatMap((imported) => {
      const [from, to] = [folderOf(name), folderOf(imported)];
      if (to === null || from === to) return [];
      const { open = [], root = [] } = FOLDERS[to] ?? {};
      const file = path.basename(imported, ".ts");
      const isInside = name.startsWith("src/platform/");
      if (isInside && !(FOLDERS[from ?? ""]?.above ?? []).includes(to)) {
        return [
          `${name} imports ${imported}: the folders go http (outbound beside it), fields, encryption, postgres (cluster beside it), sharing, loose`,
        ];
      }
      const isRoot = isInside || /^src\/(?:cli\/|doors\/|(?:kit\/)?[\w-]+\.ts$)/.test(name);
      if (open.includes(file) || (isRoot && root.includes(file))) return [];
      return [
        `${name} imports ${imported}: enter platform/${to}/ by ${open.join(", ")}; else open the file in this test`,
      ];
    }),
  );
  assert.deepEqual(complaints, []);
});

/** The folder of platform/ that a file belongs to, or null. */
function folderOf(name: string): string | null {
  return /^src\/platform\/([\w-]+)\//.exec(name)?.[1] ?? null;
}
