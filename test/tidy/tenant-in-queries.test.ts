import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ROOT, production, read, withoutComments } from "./checkout.ts";

/** The queries that work for no tenant, or for all of them. */
const WITHOUT_TENANT = new Set([
  "src/people/tenants/tenant-queries.ts findTenant",
  "src/people/tenants/tenant-queries.ts findWorkspace",
  "src/people/tenants/tenant-queries.ts insertTenant",
  "src/people/tenants/tenant-queries.ts setSuspended",
  // The doctor looks at the installation as a whole.
  "src/operation/doctor/doctor-queries.ts findOpenTables",
  "src/operation/doctor/doctor-queries.ts findHistoryPolicies",
  "src/operation/doctor/doctor-queries.ts findLowKeys",
  // A worker asks for jobs of whichever tenants.
  "src/kit/jobs/job-queries.ts claimJobs",
  // The operator reads the state of the queue.
  "src/kit/jobs/job-queries.ts readQueue",
  "src/kit/mail/mail-queries.ts readMailStanding",
  // A guesser names tenants that there are not, and guesses at many.
  "src/people/sessions/throttle-queries.ts countAttempt",
  "src/people/sessions/throttle-queries.ts forgiveAttempt",
  "src/people/sessions/throttle-queries.ts forgetAttempts",
  // The search index is everybody's.
  "src/customers/companies/search-index-queries.ts noteWritten",
  "src/customers/companies/search-index-queries.ts mergeSearchIndex",
  // Operators are of the installation, and see all tenants.
  "src/people/operators/operator-queries.ts insertOperator",
  "src/people/operators/operator-queries.ts listOperators",
  "src/people/operators/operator-queries.ts deleteOperator",
  "src/people/operators/tenant-usage-queries.ts listTenantUsage",
  "src/people/operators/tenant-usage-queries.ts findTenantUsage",
  "src/people/operators/tenant-usage-queries.ts withUsage",
  "src/people/operators/installation-queries.ts readNotes",
  "src/people/operators/installation-queries.ts writeNote",
  "src/people/operators/new-tenant-queries.ts insertTenantWithAdmin",
  // Draws numbers from sequences for a tenant that is yet to be.
  "src/operation/demo/demo-queries.ts reserveIds",
  // The planner's row count is that of a whole table.
  "src/kit/bulk-queries.ts analyzeGrown",
  // A restored database has lost orders of every tenant.
  "src/orders/wms/sending/sending-queries.ts lookUpOrders",
  // Waits for other servers of the same database, and queries nothing.
  "src/operation/demo/demo-queries.ts oneAtATime",
]);

// A `Run` has the tenant already: a function that has only that needs no other.
test("every query takes its tenant first", () => {
  const complaints = production
    .filter(({ name }) => /-(?:queries|reads)\.ts$/.test(name))
    .flatMap(({ name, text }) =>
      [...text.matchAll(/(?:^export (?:async )?function|^ +async) (\w+)(?:<[^>]*>)?\(([^)]*)\)/gm)].flatMap(
        ([, called, parameters = ""]) => {
          const reaches = /: (?:Database|Reader|Connection)\b/.test(parameters);
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
    .filter(({ name }) => /-(?:queries|reads)\.ts$/.test(name))
    .flatMap(({ name, text }) =>
      [...withoutComments(text).matchAll(/`[^`]*`|"[^"\n]*"/g)]
        .map(([literal]) => literal)
        .filter((literal) => touches.test(literal) && !/tenant_id|\$\{/.test(literal))
        .map((literal) => `${name}: tenant_id = $1 is missing in ${literal.slice(0, 80)}`),
    );
  assert.deepEqual(complaints, []);
});

test("a step of a transaction is a query, or a call that a function of its meaning makes", () => {
  const complaints = production
    .filter(({ name }) => !name.startsWith("src/platform/postgres/"))
    .filter(({ text }) => /\brun\(\s*\{\s*statement\b/.test(text))
    .map(({ name }) => `${name}: make the step with stepQuery, or the call with callsOf (platform/postgres/query.ts)`);
  assert.deepEqual(complaints, []);
});

/** A callback of an array gets the index and the array too, which would be further parameters. */
test("no query is handed over as a callback", () => {
  const queries = new Map(
    production.map(({ name, text }) => [
      name,
      [...text.matchAll(/\bconst (\w+) =\s+(?:(?:quick|slow|write|step|shared)Query|callsOf)\b/g)].map(
        ([, query]) => query,
      ),
    ]),
  );
  const complaints = production.flatMap(({ name, text, imports }) => {
    const within = new Set([name, ...imports].flatMap((file) => queries.get(file) ?? []));
    return [...text.matchAll(/\.(?:map|flatMap|forEach|filter|reduce)\(\s*(\w+)\s*[,)]/g)]
      .filter(([, callback]) => within.has(callback))
      .map(([found, callback]) => `${name}: ${found}: write (value) => ${callback}(value)`);
  });
  assert.deepEqual(complaints, []);
});

/** A statement, or the function that makes it, with its name. Types between them may have names in quotes too. */
const NAMED =
  /(?:name: "(\w+)",\s+text: |\b(?:(?:quick|slow|write|step|shared)Query|callsOf|namedStatement|changeOfOurs)(?:<[^`]{0,300}?>)?\(\s*"(\w+)",)/g;

test("every statement has a name of its own", () => {
  const named = production.flatMap(({ name: file, text }) =>
    [...text.matchAll(NAMED)].map(([, made, name = made]) => ({ name, file })),
  );
  const twice = [...Map.groupBy(named, ({ name }) => name)].filter(([, places]) => places.length > 1);
  assert.ok(named.length > 100, "the statements were found");
  assert.deepEqual(
    twice.map(([name, places]) => `${name} in ${places.map(({ file }) => file).join(" and ")}`),
    [],
    "PostgreSQL's client refuses a second statement of a prepared name: rename one",
  );
});
