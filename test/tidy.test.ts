import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { longLocks } from "./migrations/long-locks.ts";

/** The rules of ARCHITECTURE.md that a linter does not know. Each failure says where the thing belongs instead. */

const ROOT = path.join(import.meta.dirname, "..");
const source = filesUnder("src");
const written = [...source, ...["test", "bench", "clients", "wms-simulator"].flatMap(filesUnder)];
const production = source.filter(({ name }) => !name.endsWith(".test.ts"));

/** The pages for people, at the top and in docs/. */
const documents = fs
  .globSync(["*.md", "docs/**/*.md", "migrations/*.md"], { cwd: ROOT })
  .map((name) => ({ name: name.split(path.sep).join("/"), text: read(name) }));

type SourceFile = { name: string; text: string; imports: string[] };

/** The tools and the frames below the features, which know none of them: what each may import beside platform/. */
const BELOW_FEATURES: Record<string, string[]> = {
  platform: [],
  warehouse: [],
  "errors.ts": [],
  "version.ts": [],
  "actor.ts": [],
  "config.ts": ["warehouse"],
  "deps.ts": ["config.ts", "warehouse"],
  "endpoint.ts": ["actor.ts", "deps.ts", "errors.ts"],
  openapi: ["errors.ts"],
  jobs: ["config.ts", "deps.ts"],
  web: ["actor.ts", "deps.ts"],
};

/** The rooms above the features, which nobody imports but those who put the program together. */
const ABOVE_FEATURES: Record<string, RegExp> = {
  "main.ts": /^$/,
  cli: /^src\/(?:cli\/|main\.ts$)/,
  doors: /^src\/(?:cli|doors)\//,
  "worker.ts": /^src\/cli\//,
};

test("imports point one way: main, cli, doors and worker, features, web and the tools, platform", () => {
  const complaints = production.flatMap(({ name, imports }) =>
    imports.flatMap((imported) => {
      const [from, to] = [roomOf(name), roomOf(imported)];
      if (from === to) return [];
      const allowed = BELOW_FEATURES[from];
      if (allowed !== undefined && to !== "platform" && !allowed.includes(to)) {
        return [`${name} imports ${imported}: what knows a feature belongs into that feature, not into ${from}`];
      }
      if (ABOVE_FEATURES[to]?.test(name) === false) {
        return [
          `${name} imports ${imported}: pass it what it needs; what others need as well belongs into its feature`,
        ];
      }
      return [];
    }),
  );
  assert.deepEqual(complaints, []);
});

test("src/openapi/ assembles what the routes bring, and knows no noun", () => {
  const noun = /[Cc]ompan(?:y|ies)|[Cc]ontact|[Ii]nvoice|[Ww]ms|WMS|\bAddress\b|\w:(?:read|write)\b/;
  const complaints = production
    .filter(({ name }) => roomOf(name) === "openapi")
    .flatMap(({ name, text }) => {
      const [word] = noun.exec(text) ?? [];
      return word === undefined ? [] : [`${name} says ${word}: that belongs into the noun's *-reference.ts`];
    });
  assert.deepEqual(complaints, []);
});

/**
 * The wings of platform/: which others each may import, and which of its files may be imported from outside. `root` are the
 * files that only the composition root (deps.ts, doors/, cli/) and other wings need. What is loose in platform/ imports no wing.
 */
const WINGS: Record<string, { above: string[]; open: string[]; root: string[] }> = {
  metrics: { above: [], open: ["tallies"], root: ["histogram", "metric", "process-metrics"] },
  sharing: {
    above: [],
    open: ["bell", "caller", "gather", "one-for-many", "overloaded", "places", "prices"],
    root: ["aside", "holder", "presence", "shares", "sharing", "time"],
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
      "baseline",
      "migration-files",
      "open-database",
      "read-page",
      "remove-tenant-rows",
      "snapshot",
      "stored-tables",
    ],
    root: [
      "advisory-locks",
      "describe-server",
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
  encryption: { above: ["postgres"], open: ["key-file", "keyring", "phone-digest"], root: ["key-rotation"] },
  fields: {
    above: ["postgres", "encryption"],
    open: [
      "fields",
      "writer",
      "draft",
      "long-texts",
      "list-items",
      "row-state",
      "validation",
      "field-reasons",
      "json",
      "reader",
      "sql",
      "bulk",
      "stored-values",
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
      "pagination",
      "walk",
      "answers",
      "assets",
      "outgoing",
    ],
    root: [
      "body",
      "byte-budget",
      "caller",
      "compression",
      "cross-origin",
      "drain",
      "json-body",
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
  outbound: { above: ["metrics"], open: ["http-client", "retry-after", "call-tallies"], root: ["receivers"] },
};

test("the wings of platform/ import downwards only, and are entered by their open files", () => {
  const complaints = production.flatMap(({ name, imports }) =>
    imports.flatMap((imported) => {
      const [from, to] = [wingOf(name), wingOf(imported)];
      if (to === null || from === to) return [];
      const { open = [], root = [] } = WINGS[to] ?? {};
      const file = path.basename(imported, ".ts");
      const isInside = name.startsWith("src/platform/");
      if (isInside && !(WINGS[from ?? ""]?.above ?? []).includes(to)) {
        return [
          `${name} imports ${imported}: the wings go http (outbound beside it), fields, encryption, postgres (cluster beside it), sharing, loose`,
        ];
      }
      const isRoot = isInside || /^src\/(?:cli\/|doors\/|[\w-]+\.ts$)/.test(name);
      if (open.includes(file) || (isRoot && root.includes(file))) return [];
      return [
        `${name} imports ${imported}: enter platform/${to}/ by ${open.join(", ")}; else open the file in this test`,
      ];
    }),
  );
  assert.deepEqual(complaints, []);
});

test("no two rooms, nor loose files, of src/ import each other, however far around", () => {
  assertNoCircle(production, roomOf);
});

test("no two folders, nor loose files, of a room import each other, however far around", () => {
  const placeOf = (name: string) => name.split("/").slice(1, 3).join("/");
  for (const files of Map.groupBy(production, ({ name }) => roomOf(name)).values()) assertNoCircle(files, placeOf);
});

test("the product imports none of its tests, its clients, the benchmark and the simulator, and these not each other", () => {
  const mayImport: Record<string, string[]> = {
    src: ["src"],
    test: ["test", "src", "clients", "wms-simulator"],
    bench: ["bench", "src"],
    // Somebody else's programs: what both would share, both could have wrong.
    clients: ["clients"],
    "wms-simulator": ["wms-simulator"],
  };
  // A test of its own may stand beside what it tests, and uses what all tests use.
  const complaints = written.flatMap(({ name, imports }) => {
    const allowed = mayImport[name.endsWith(".test.ts") ? "test" : (name.split("/")[0] ?? "")] ?? [];
    return imports
      .filter((imported) => !allowed.includes(imported.split("/")[0] ?? ""))
      .map(
        (imported) => `${name} imports ${imported}: ${name.split("/")[0]}/ may import ${allowed.join(" and ")} only`,
      );
  });
  assert.deepEqual(complaints, []);
});

/** The folders of bench/ (bench/README.md): each may import from those before it. */
const BENCH_FOLDERS = ["tenants", "load", "candidates", "figures", "neighbours", "report"];

test("the folders of bench/ import one way: tenants, load, candidates, figures, neighbours, report", () => {
  const folderOf = (name: string) => /^bench\/([\w-]+)\//.exec(name)?.[1] ?? null;
  const complaints = written.flatMap(({ name, imports }) => {
    const from = folderOf(name);
    if (from === null) return [];
    if (!BENCH_FOLDERS.includes(from)) return [`${name}: bench/${from}/ has no place in this test's order`];
    return imports.flatMap((imported) => {
      const to = folderOf(imported);
      if (to === null || BENCH_FOLDERS.indexOf(to) <= BENCH_FOLDERS.indexOf(from)) return [];
      return [`${name} imports ${imported}: what both need belongs into ${from}/ or a folder before it`];
    });
  });
  assert.deepEqual(complaints, []);
});

test("no file imports itself, however far around", () => {
  const files = new Map(written.map(({ name, imports }) => [name, new Set(imports)]));
  const cycle = findCycle(files);
  assert.equal(cycle, null, `${cycle?.join(" -> ")}: move what both need into a file of its own`);
});

const placements: { what: string; pattern: RegExp; allowed: RegExp; belongs: string }[] = [
  {
    what: "SQL",
    pattern:
      /[`"']\s*(?:select\s+[\w$*('(]|insert\s+into\s|update\s+\w+\s+(?:\w+\s+)?set\s|delete\s+from\s|with\s+\w+\s+as\s)/,
    allowed: /^src\/(?:platform\/|.*-queries\.ts$)/,
    belongs: "into the noun's *-queries.ts",
  },
  { what: "process.env", pattern: /\bprocess\.env\b/, allowed: /^src\/config\.ts$/, belongs: "into config.ts" },
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
    allowed: /^src\/(?:cli\/|openapi\/reference\.js$)/,
    belongs: "into cli/; elsewhere use the logger",
  },
  {
    what: "normalize(), which takes quadratic time on combining marks,",
    pattern: /\bnormalize\(/,
    // A browser normalizes what was typed into it.
    allowed: /^src\/(?:platform\/text\.ts|companies\/company-bulk-queries\.ts|web\/assets\/.*)$/,
    belongs: "into platform/text.ts; call normalized() or comparable() with the most code points that a text may have",
  },
  {
    what: "a collation, which normalizes texts of any length,",
    pattern: /\.localeCompare\(|\bIntl\.Collator\b/,
    // The names of some languages.
    allowed: /^src\/contacts\/contact-languages\.ts$/,
    belongs: "nowhere: have PostgreSQL sort what is bounded, or compare with < and >",
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

test("no page has HTML that could run a script", () => {
  const complaints = production.flatMap(({ name, text }) => {
    const [inline] =
      /<script>|<style>|\sstyle="|\son[a-z]+="|srcdoc=|innerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/.exec(
        withoutComments(text),
      ) ?? [];
    const [unsafe] =
      roomOf(name) === "web" && name === "src/web/html.ts" ? [] : (/\braw\(/.exec(withoutComments(text)) ?? []);
    return [inline, unsafe]
      .filter((found) => found !== undefined)
      .map((found) => `${name}: ${found.trim()} makes HTML past src/web/html.ts`);
  });
  assert.deepEqual(complaints, []);
});

test("the map of ARCHITECTURE.md has every room and every test", () => {
  const [, map = ""] = /^## The map\n([^]*?)^## /m.exec(read("ARCHITECTURE.md")) ?? [];
  const [roomTable = "", testTable = ""] = map.split("### Tests of the rooms\n");
  const [, folders = ""] = /^### Folders of test\n([^]*?)^###? /m.exec(map) ?? [];
  const rowsOf = (table: string) => [...table.matchAll(/^\| (`.*?) \|(.*)\|$/gm)];
  const namedIn = (text = "") => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  const placesOf = (table: string) => rowsOf(table).flatMap(([, place]) => namedIn(place));
  const places = placesOf(roomTable);
  const tested = placesOf(testTable);
  const tests = rowsOf(testTable).flatMap(([, , cell]) => namedIn(cell));
  const besideIt = rowsOf(testTable).flatMap(([, place, cell]) =>
    cell?.includes("beside it") === true ? namedIn(place) : [],
  );
  const roomsOfTests = new Set(["", ...namedIn(folders)]);
  const files = written.filter(({ name }) => /\.(?:test|citus)\.ts$/.test(name));
  const isIn = (name: string, place: string) =>
    name.startsWith(place) || path.matchesGlob(name, place) || path.matchesGlob(name, `${place}/**`);
  const complaints = [
    [...places, ...tested, ...tests]
      .filter((place) => fs.globSync(place, { cwd: ROOT }).length === 0)
      .map((place) => `${place} is in the map of ARCHITECTURE.md, and not there`),
    [...new Set(production.map(({ name }) => roomOf(name)))]
      .filter((room) => !places.includes(room.endsWith(".ts") ? `src/${room}` : `src/${room}/`))
      .map((room) => `src/${room} has no row in the map of ARCHITECTURE.md`),
    files
      .filter(({ name }) => name.startsWith("test/") && !tests.some((place) => isIn(name, place)))
      .map(({ name }) => `${name}: name it under "Tests of the rooms" in ARCHITECTURE.md`),
    files
      .filter(({ name }) => name.startsWith("src/") && !besideIt.some((place) => isIn(name, place)))
      .map(({ name }) => `${name}: say "beside it" in its room's row under "Tests of the rooms" in ARCHITECTURE.md`),
    [...new Set(files.map(({ name }) => name.replace(/^test\/|[^/]+$/g, "")))]
      .filter((folder) => !folder.startsWith("src/") && !roomsOfTests.has(folder))
      .map((folder) => `test/${folder}: name it under "Folders of test" in ARCHITECTURE.md`),
    rowsOf(testTable)
      .filter(([, , cell]) => cell?.trim() === "")
      .map(([, place]) => `${place}: name its tests in the map of ARCHITECTURE.md`),
    places
      .filter((place) => !tested.includes(place))
      .map((place) => `${place} has no row under "Tests of the rooms" in ARCHITECTURE.md`),
    rowsOf(roomTable)
      .filter(([row]) => row.length > 120)
      .map(([, place]) => `${place}: one line of 120 columns in the map of ARCHITECTURE.md`),
    [...Map.groupBy(files, ({ name }) => path.basename(name)).values()]
      .filter((alike) => alike.length > 1)
      .map((alike) => `${alike.map(({ name }) => name).join(", ")}: name each by what it promises`),
  ];
  assert.deepEqual(complaints.flat(), []);
});

test("npm test runs every test file once, alone or together with those of its folder", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: { test: string } };
  const filesOf = (pattern: string) => fs.globSync(pattern, { cwd: ROOT });
  const run = [...scripts.test.matchAll(/'([^']+)'/g)]
    .flatMap(([, pattern = ""]) => filesOf(pattern))
    .flatMap((name) => (path.basename(name) === "together.ts" ? filesOf(`${path.dirname(name)}/*.test.ts`) : [name]));
  const all = written.map(({ name }) => name).filter((name) => name.endsWith(".test.ts"));
  assert.deepEqual(run.toSorted(), all.toSorted());
});

test("files are short, kebab-case and in rooms that say what they hold", () => {
  const vague = /(?:^|[/-])(?:utils?|helpers?|common|services?|core|lib|misc|shared|managers?)(?:\/|\.|-|$)/;
  const long = written.filter(({ name, text }) => lines(text) > 320 && !/(?:-data|\.test|\.generated)\.ts$/.test(name));
  const odd = written.filter(({ name }) => !/^[a-z0-9.-]+$/.test(path.basename(name)));
  const complaints = [
    long.map(({ name, text }) => `${name} has ${lines(text)} lines: 300 are long, split it`),
    odd.map(({ name }) => `${name}: kebab-case`),
    written.filter(({ name }) => vague.test(name)).map(({ name }) => `${name}: name it after what it holds`),
  ];
  assert.deepEqual(complaints.flat(), []);
  const lengths = production.map(({ text }) => lines(text)).toSorted((a, b) => a - b);
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
  assert.ok(median <= 60, `the median file has ${median} lines: about 50 are meant`);
});

test("what src/ exports has a name that means nothing else there", () => {
  const declared = /^export (?:async )?(?:type|interface|class|function\*?|const|let) (?:(\w+)|\{([^}]*)\} =)/gm;
  const exported = production.flatMap(({ name, text }) =>
    [...text.matchAll(declared)].flatMap(([, one, several = ""]) => {
      const all = one === undefined ? several.split(",").map((each) => each.replace(/.*:/, "").trim()) : [one];
      return all.filter((each) => each !== "").map((each) => ({ name, each }));
    }),
  );
  assert.ok(exported.length > 2_000, `${exported.length} names are read`);
  const complaints = [...Map.groupBy(exported, ({ each }) => each)].flatMap(([each, of]) => {
    const files = [...new Set(of.map(({ name }) => name))];
    return files.length === 1 ? [] : [`${each} is exported by ${files.join(" and ")}: say in one name which is meant`];
  });
  assert.deepEqual(complaints, []);
});

/** Beyond so many nobody knows all files of a folder, and what is there already is written again. */
const MOST_FILES = 30;

test(`no folder of src/ has more than ${MOST_FILES} files directly in it`, () => {
  const complaints = [...Map.groupBy(source, ({ name }) => path.dirname(name))]
    .filter(([, files]) => files.length > MOST_FILES)
    .map(
      ([folder, files]) =>
        `${folder}/ has ${files.length} files: move those of one noun into a folder of its name, and name it in the map of ARCHITECTURE.md`,
    );
  assert.deepEqual(complaints, []);
});

/** The queries that work for no tenant, or for all of them. */
const WITHOUT_TENANT = new Set([
  "src/tenants/tenant-queries.ts findTenant",
  "src/tenants/tenant-queries.ts findTenants",
  "src/tenants/tenant-queries.ts listTenants",
  "src/tenants/tenant-queries.ts insertTenant",
  "src/tenants/tenant-queries.ts setSuspended",
  // The doctor looks at the installation as a whole.
  "src/doctor/doctor-queries.ts findOpenTables",
  "src/doctor/doctor-queries.ts findHistoryPolicies",
  "src/doctor/doctor-queries.ts findLowKeys",
  "src/doctor/doctor-queries.ts readClock",
  "src/doctor/doctor-queries.ts readVersions",
  // The tenant is what it finds out.
  "src/sessions/session-queries.ts placeOfToken",
  // A worker asks for jobs of whichever tenants.
  "src/jobs/job-queries.ts claimJobs",
  // Whoever runs the installation asks how its queue stands.
  "src/jobs/job-queries.ts readQueue",
  // A guesser names tenants that there are not, and guesses at many.
  "src/sessions/throttle-queries.ts countAttempt",
  "src/sessions/throttle-queries.ts forgiveAttempt",
  "src/sessions/throttle-queries.ts forgetAttempts",
  // The tenant is what it finds out.
  "src/users/invitation-queries.ts placeOfInvitation",
  // The search index is everybody's.
  "src/companies/search-index-queries.ts noteWritten",
  "src/companies/search-index-queries.ts mergeSearchIndex",
  // Operators belong to no tenant, and see them all.
  "src/operators/operator-queries.ts insertOperator",
  "src/operators/operator-queries.ts findOperatorByEmail",
  "src/operators/operator-queries.ts replaceOperatorHash",
  "src/operators/operator-queries.ts setOperatorPassword",
  "src/operators/operator-queries.ts listOperators",
  "src/operators/operator-queries.ts deleteOperator",
  "src/operators/operator-session-queries.ts idOfToken",
  "src/operators/operator-session-queries.ts findLiveOperatorSession",
  "src/operators/operator-session-queries.ts touchOperatorSession",
  "src/operators/operator-session-queries.ts insertOperatorSession",
  "src/operators/operator-session-queries.ts renewAwaiting",
  "src/operators/operator-session-queries.ts deleteOperatorSession",
  "src/operators/operator-factor-queries.ts factorOfOperator",
  "src/operators/tenant-usage-queries.ts listTenantUsage",
  "src/operators/tenant-usage-queries.ts findTenantUsage",
  "src/operators/tenant-usage-queries.ts withUsage",
  // Draws numbers from sequences for a tenant that is yet to be.
  "src/demo/demo-queries.ts reserveIds",
  // A restored database has lost orders of every tenant.
  "src/wms/sending/sending-queries.ts lookUpOrders",
  // Waits for other servers of the same database, and asks nothing.
  "src/demo/demo-queries.ts oneAtATime",
]);

test("every query takes its tenant first", () => {
  const complaints = production
    .filter(({ name }) => name.endsWith("-queries.ts"))
    .flatMap(({ name, text }) =>
      [...text.matchAll(/(?:^export (?:async )?function|^ +async) (\w+)(?:<[^>]*>)?\(([^)]*)\)/gm)].flatMap(
        ([, called, parameters = ""]) => {
          const reaches = /: (?:Database|Reader|Run|Connection)\b/.test(parameters);
          if (!reaches || /^\s*tenant: TenantId\b/.test(parameters) || WITHOUT_TENANT.has(`${name} ${called}`))
            return [];
          return [
            `${name} ${called}: its first parameter is \`tenant: TenantId\`; else list it in this test and say why`,
          ];
        },
      ),
    );
  assert.deepEqual(complaints, []);
});

test("every statement on a tenant's table names the tenant", () => {
  const files = fs.readdirSync(path.join(ROOT, "migrations")).filter((name) => name.endsWith(".sql"));
  const migrations = files.map((name) => read(`migrations/${name}`));
  const tables = [...migrations.join("\n").matchAll(/protect_tenant_table\('(\w+)'\)/g)].map(([, table]) => table);
  assert.ok(tables.length >= 10);
  const touches = new RegExp(String.raw`\b(?:from|join|into|update)\s+(?:${tables.join("|")})\b`);
  const complaints = production
    .filter(({ name }) => name.endsWith("-queries.ts"))
    .flatMap(({ name, text }) =>
      [...withoutComments(text).matchAll(/`[^`]*`|"[^"\n]*"/g)]
        .map(([literal]) => literal)
        .filter((literal) => touches.test(literal) && !/tenant_id|\$\{/.test(literal))
        .map((literal) => `${name}: tenant_id = $1 is missing in ${literal.slice(0, 80)}`),
    );
  assert.deepEqual(complaints, []);
});

test("each migration has a number of its own, and no function's body", () => {
  const names = fs.readdirSync(path.join(ROOT, "migrations")).filter((name) => name.endsWith(".sql"));
  const numbers = names.map((name) => /^\d{4}(?=_)/.exec(name)?.[0]);
  assert.deepEqual(numbers, [...new Set(numbers)], "take the next free number");
  const withBody = names.filter((name) =>
    /^\s*create (?:or replace )?(?:function|procedure)\b/im.test(read(`migrations/${name}`)),
  );
  assert.deepEqual(withBody, [], "a function's body stands in migrations/functions alone (migrations/README.md)");
});

/** Functions of SQL that take more than linear time, and the migrations and bodies of functions that call them: with columns and parameters alone that are bounded. */
const SUPERLINEAR = /\b(?:normalize|(?:word_|strict_word_)?similarity|levenshtein\w*|unaccent)\(|\bnormalized\b/i;
const WITH_BOUNDED_TEXTS = new Set([
  "0003_companies-and-contacts.sql",
  "functions/company_ids_by_tax_id.sql",
  "functions/fold.sql",
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

test("a company is written by commitCompany alone, which keeps its counts and its index short", () => {
  const committing = production.filter(({ name, text }) => name.startsWith("src/companies/") && /\.write\(/.test(text));
  assert.deepEqual(
    committing.map(({ name }) => name),
    ["src/companies/commit-company.ts"],
  );
});

test("the title of a test names its subject, and so means something alone", () => {
  const referring = /\btest\(\s*["`](?:it|its|they|their|these|those|the same|so|nor|one that) [^"`]*/gi;
  const complaints = written
    .filter(({ name }) => name !== "test/tidy.test.ts")
    .flatMap(({ name, text }) => [...text.matchAll(referring)].map(([title]) => `${name}: ${title}`));
  assert.deepEqual(complaints, [], "write out what each is about");
});

test("a comment begins with its subject", () => {
  const impersonal =
    /(?:\/\*\*|^ *\*|\/\/) (?:What|Whatever|Who|Whoever|Whose|So many|So much|How (?:many|much|long)) /m;
  const complaints = source.flatMap(({ name, text }) => {
    const comment = impersonal.exec(text)?.[0];
    return comment === undefined ? [] : [`${name}: say what it is, instead of "${comment.trim()} ..."`];
  });
  assert.deepEqual(complaints, []);
});

test("no citation leads out of this repository", () => {
  const outside = /\b(?:specification|decisions)\s+\(?\d|\bthe specification\b|\bspecification's\b/i;
  const complaints = [...written, ...documents]
    .filter(({ name, text }) => name !== "test/tidy.test.ts" && outside.test(withoutLineBreaks(text)))
    .map(({ name }) => `${name}: cite docs/contract.md, docs/operations.md or docs/decisions/ by path and number`);
  assert.deepEqual(complaints, []);
});

test("every citation leads to a page of this repository, and a numbered one to a heading on it", () => {
  const pages = new Map(documents.map(({ name, text }) => [name, text]));
  const complaints = [...written, ...documents].flatMap(({ name, text }) =>
    [
      ...withoutLineBreaks(text).matchAll(
        /\b(docs\/[\w/-]+\.md)(?: (\d+(?:\.\d+)?(?:(?:,| and| to) \d+(?:\.\d+)?)*))?/g,
      ),
    ].flatMap(([, page = "", numbers = ""]) => {
      const cited = pages.get(page);
      if (cited === undefined) return [`${name}: ${page} does not exist`];
      return (numbers.match(/\d+(?:\.\d+)?/g) ?? [])
        .filter((number) => !hasHeading(cited, number))
        .map((number) => `${name}: ${page} has no section ${number}`);
    }),
  );
  assert.deepEqual(complaints, []);
});

test("the contract is numbered without a gap, and what it or a neighbour cites by number alone is there", () => {
  const contract = read("docs/contract.md");
  const numbers = [...contract.matchAll(/^##+ (\d+(?:\.\d+)?)/gm)].map(([, number = ""]) => number);
  const counted = numbers.map((number, index) => {
    const [section = 0, rule = 0] = (numbers[index - 1] ?? "0").split(".").map(Number);
    return number.includes(".") ? `${section}.${rule + 1}` : `${section + 1}`;
  });
  assert.deepEqual(numbers, counted);
  const everyPage = documents.map(({ text }) => text).join("\n");
  const citations = [
    ...contract.matchAll(/(?<=[(\s])(\d{1,2}\.\d{1,2})(?=[),.;:]*\s)/g),
    ...everyPage.matchAll(/\(contract\.md\) (\d+(?:\.\d+)?)/g),
  ];
  const cited = citations.map(([, number = ""]) => number);
  assert.ok(cited.length > 50, `${cited.length} citations are read`);
  assert.deepEqual(
    cited.filter((number) => !numbers.includes(number)),
    [],
  );
});

test("a decision says what was to be solved, what was chosen, and what that costs, in this order", () => {
  const parts = ["Context", "Decision", "Consequences"];
  const pages = fs.readdirSync(path.join(ROOT, "docs/decisions")).filter((name) => /^\d/.test(name));
  const others = pages.filter((name) => {
    const told = [...read(`docs/decisions/${name}`).matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, part = ""]) => part);
    return told.filter((part) => parts.includes(part)).join() !== parts.join();
  });
  assert.deepEqual(others, [], "bring them into the form that docs/decisions/README.md tells");
});

test("the index of decisions has every page once, and nothing else, by number and title", () => {
  const index = read("docs/decisions/README.md");
  const pages = fs
    .readdirSync(path.join(ROOT, "docs/decisions"))
    .filter((name) => name !== "README.md")
    .toSorted();
  const complaints = pages.flatMap((name) => {
    const [, number, title] = /^# (\d+)\. (.+)$/m.exec(read(`docs/decisions/${name}`)) ?? [];
    const line = `| [${number}](${name}) | ${title}`;
    return index.includes(line) ? [] : [`docs/decisions/README.md lacks the line "${line} |", with its status`];
  });
  assert.deepEqual(complaints, []);
  const listed = [...index.matchAll(/^\| \[\d+\]\(([^)]+)\)/gm)].map(([, name]) => name);
  assert.deepEqual(new Set(listed), new Set(pages), "docs/decisions/README.md has these lines");
  assert.equal(listed.length, pages.length, "docs/decisions/README.md has each line once");
});

test("package-lock.json names no registry, so that everybody's own one serves", () => {
  const hosts = [...read("package-lock.json").matchAll(/"resolved": "(https?:\/\/[^/"]+)/g)].map(([, host]) => host);
  assert.deepEqual([...new Set(hosts)], [], "npm install with omit-lockfile-registry-resolved=true (.npmrc)");
});

/** Whether a page has the section `5` or `5.4`. */
function hasHeading(page: string, number: string): boolean {
  return new RegExp(String.raw`^#+ ${number.replace(".", String.raw`\.`)}\.? `, "m").test(page);
}

/** A citation may be broken after its page, in a comment too. */
function withoutLineBreaks(text: string): string {
  return text.replace(/\n\s*(?:\*(?!\/)|\/\/)?\s*/g, " ");
}

/** The folder in src that a file belongs to; of a file directly in src the file itself. */
function roomOf(name: string): string {
  return name.split("/")[1] ?? name;
}

/** The wing of platform/ that a file belongs to, or null. */
function wingOf(name: string): string | null {
  return /^src\/platform\/([\w-]+)\//.exec(name)?.[1] ?? null;
}

/** Of places among the files; what these import of others does not count. */
function assertNoCircle(files: SourceFile[], placeOf: (name: string) => string): void {
  const places = new Map<string, Set<string>>(files.map(({ name }) => [placeOf(name), new Set()]));
  const reasons = new Map<string, string>();
  for (const { name, imports } of files) {
    for (const imported of imports) {
      const [from, to] = [placeOf(name), placeOf(imported)];
      if (from === to || !places.has(to)) continue;
      places.get(from)?.add(to);
      reasons.set(`${from} ${to}`, `${name} imports ${imported}`);
    }
  }
  const circle = findCycle(places) ?? [];
  const steps = circle.slice(1).map((to, index) => reasons.get(`${circle[index]} ${to}`));
  const mend =
    "one of these goes up. A child may import its parent's noun and queries, never the reverse; a type that both need " +
    "belongs to the lower one, and what several need to a place below them";
  assert.deepEqual(steps, [], mend);
}

function findCycle(graph: Map<string, Set<string>>): string[] | null {
  const done = new Set<string>();
  const visit = (node: string, trail: string[]): string[] | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle !== null) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

function filesUnder(folder: string): SourceFile[] {
  if (!fs.existsSync(path.join(ROOT, folder))) return [];
  return (
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:(?<!\.d\.)ts|js|mjs)$/.test(entry.name))
      .map(({ parentPath, name }) => path.relative(ROOT, path.join(parentPath, name)).split(path.sep).join("/"))
      // What a measurement installs or compiles is not ours.
      .filter((file) => !/\/(?:node_modules|vendor|results|build|dist)\//.test(file))
      .map((file) => {
        const text = read(file);
        const imports = [...text.matchAll(/(?:from|import) "(\.[^"]+)"/g)].map(([, to = ""]) =>
          path.posix.join(path.posix.dirname(file), to),
        );
        return { name: file, text, imports };
      })
  );
}

function read(name: string): string {
  return fs.readFileSync(path.join(ROOT, name), "utf8");
}

function lines(text: string): number {
  return text.split("\n").length - 1;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}
