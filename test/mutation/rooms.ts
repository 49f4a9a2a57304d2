import fs from "node:fs";
import path from "node:path";

/** What is mutated together, and the tests that must notice, from the nearest ones on. */
export type Room = { name: string; sources: string[]; tests(file: string): string[] };

/** The rooms that a run without an argument mutates: those in which a fault does most damage. */
export const ROOMS = [
  "people/api-keys",
  "people/tenants",
  "platform/fields",
  "platform/encryption",
  "platform/http/lists",
  "platform/postgres",
  "kit/jobs",
  "orders/wms/sending",
  "orders/wms/following",
  "orders/invoices",
  "exchange/imports/writing",
  "exchange/imports/undoing",
  "kit/stored-answers",
  "exchange/feed",
  "exchange/webhooks",
  "people/sessions",
  "people/single-sign-on",
  "people/passkeys",
  "people/users",
  "operation/backup",
  "exchange/personal-data",
  "functions",
];

/** Functions of the database belong to no wing: the tests of what their names speak of. */
const TESTS_OF_FUNCTIONS: [RegExp, string[]][] = [
  [/lane|claim|job|failed/, ["kit/jobs", "exchange/webhooks"]],
  [/change|feed|hidden/, ["exchange/feed", "kit/api", "exchange/webhooks"]],
  [/wms|invoice|sent|order/, ["orders/wms", "orders/api"]],
  [
    /find|search|matching|keys/,
    [
      "customers/alike",
      "customers/api",
      "kit/api",
      "desk/pages/find.test.ts",
      "desk/pages/find-notes.test.ts",
      "desk/pages/find-phones.test.ts",
    ],
  ],
  [/./, ["customers/api", "kit/api", "orders/api", "people/users", "exchange/imports"]],
];
const TESTS = "**/*.{test,slow}.ts";
/** Rooms below whose tests, or some of them, are in other folders or files. */
const ELSEWHERE: Record<string, string[]> = {
  "people/api-keys": ["people/api", "doors/api", "people/pages/keys.test.ts", "cli/tenants-users-and-keys.test.ts"],
  "people/sessions": [
    "people/passkeys",
    "people/api",
    "people/pages",
    "people/users",
    "desk/pages/profile.test.ts",
    "kit/mail/forgotten-password.test.ts",
  ],
  "kit/jobs": [
    "kit/api",
    "kit/pages",
    "exchange/imports/import-interrupted.test.ts",
    "orders/pages/invoices-on-their-way.test.ts",
  ],
  "people/single-sign-on": ["people/api", "people/pages", "cli/tenants-users-and-keys.test.ts"],
  "people/tenants": ["doors/api", "cli", "people/pages", "orders/api/lines-with-vat.test.ts"],
  "platform/encryption": ["cli", "desk/pages", "exchange/personal-data"],
  "platform/fields": [
    "customers/custom-fields",
    "doors/api",
    "exchange/api",
    "exchange/imports/import-children.test.ts",
    "kit/api",
  ],
  "platform/http/lists": ["customers/api", "kit/api/look-ups.test.ts", "desk/pages/history-pages.test.ts"],
  "platform/postgres": [
    "customers/api",
    "failure",
    "kit/stored-answers",
    "cli/tenant-delete.test.ts",
    "operation/backup",
  ],
  "exchange/feed": ["exchange/api", "exchange/pages", "doors/agents/tools.test.ts", "doors/turns.test.ts"],
  "orders/wms/sending": ["orders/wms", "orders/pages"],
  "orders/wms/following": ["orders/wms", "orders/pages", "cli/wms.slow.ts"],
  "orders/invoices": [
    "orders/api",
    "orders/wms",
    "desk/pages",
    "exchange/api/batch.test.ts",
    "exchange/imports/import-invoices.test.ts",
    "exchange/pages/imports-as-the-file-says.slow.ts",
    "cli/wms.slow.ts",
  ],
  "kit/stored-answers": ["kit/api", "doors/agents"],
  "exchange/webhooks": ["exchange/api", "exchange/pages/webhooks.test.ts"],
  "exchange/personal-data": [
    "exchange/pages/contacts-erased-and-exported.test.ts",
    "cli/erase-and-export-contact.test.ts",
    "exchange/merging/merged-contacts.test.ts",
  ],
  "exchange/imports/writing": ["exchange/imports", "exchange/api", "exchange/pages", "kit/api"],
  "exchange/imports/undoing": ["exchange/imports", "exchange/pages"],
};

/** A room by its path below src/; `functions` are those of the database. */
export function roomOf(root: string, name: string): Room {
  if (name === "functions") {
    return {
      name,
      sources: filesIn(root, "migrations/functions", "*.sql"),
      tests(file) {
        const [, folders = []] = TESTS_OF_FUNCTIONS.find(([pattern]) => pattern.test(path.basename(file))) ?? [];
        return folders.flatMap((folder) => testsIn(root, folder));
      },
    };
  }
  const wing = path.dirname(name);
  const folders = [name, ...(ELSEWHERE[name] ?? [`${wing}/api`, `${wing}/pages`])];
  const tests = [...new Set(folders.flatMap((folder) => testsIn(root, folder)))];
  return { name, sources: sourcesIn(root, name), tests: () => tests };
}

function sourcesIn(root: string, name: string): string[] {
  return filesIn(root, `src/${name}`, "**/*.ts").filter((file) => !/-(?:words|reference)\.ts$|\/pages\//.test(file));
}

/** @param place a folder of tests, or one file */
function testsIn(root: string, place: string): string[] {
  return place.endsWith(".ts") ? [`test/${place}`] : filesIn(root, `test/${place}`, TESTS);
}

function filesIn(root: string, folder: string, pattern: string): string[] {
  const cwd = path.join(root, folder);
  return fs
    .globSync(pattern, { cwd })
    .toSorted()
    .map((name) => `${folder}/${name}`);
}
