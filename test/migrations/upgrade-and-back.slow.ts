import assert from "node:assert/strict";
import path from "node:path";
import { after, test } from "node:test";
import { releaseOf } from "../../src/platform/version.ts";
import { connectTo, createDataDirectory, demoToken } from "../failure/data-directory.ts";
import { request, type Answer } from "../harness.ts";
import { poll, start, type Server } from "../program.ts";
import { nextRelease, versionEdits, type Edit } from "./more-migrations.ts";
import { previousRelease } from "./previous-release.ts";

/**
 * The step from the previous release to a next one of this checkout and back again, beside requests, with the embedded
 * database (docs/upgrading.md).
 */

const REQUESTS = Number(process.env.LIAISON_TEST_REQUESTS ?? 5_000);
const CALLERS = 8;
const MAIN = path.join(previousRelease(), "src/main.js");

/** Left in the schema by a release before this one, which does not use it. */
const LEFT_BEHIND = `
  alter table companies add column former_rating integer;
  call keep_history('companies', 'company');
  create index companies_by_former_rating on companies (tenant_id, former_rating);
  create table former_ratings (tenant_id bigint not null references tenants (id), id bigint primary key)`;

const MIGRATIONS = {
  "9995_vat-rates": `alter table companies add column vat_rate numeric;
    call keep_history('companies', 'company');
    create table visits (
      tenant_id bigint not null references tenants (id),
      id bigserial,
      company_id bigint not null,
      primary key (tenant_id, id)
    );
    call protect_tenant_table('visits');
    grant usage on all sequences in schema public to liaison_app;
    alter table visits add foreign key (tenant_id, company_id) references companies (tenant_id, id)`,
  "9996_by-vat-rate": `-- Without a transaction
    create index concurrently if not exists companies_by_vat_rate on companies (tenant_id, vat_rate, id)`,
  "9997_no-index-of-former-ratings": `-- Without a transaction
    drop index concurrently if exists companies_by_former_rating`,
  "9998_no-former-ratings": `alter table companies drop column former_rating;
    call keep_history('companies', 'company');
    drop table former_ratings`,
};

const { upgradesFrom } = releaseOf();
const NEXT = upgradesFrom.replace(/\d+$/, (patch) => String(Number(patch) + 1));

const words = "src/customers/companies/company-words.ts";
const EDITS: Edit[] = [
  ...versionEdits(NEXT, upgradesFrom),
  {
    file: "src/customers/companies/company.ts",
    text: '  {\n    name: "callback_date",',
    by: '  { name: "vat_rate", kind: "decimal", description: "In percent.", example: "19.00" },\n  {\n    name: "callback_date",',
  },
  { file: words, text: '    callback_date: "Call back",', by: '    callback_date: "Call back",\n    vat_rate: "VAT rate",' },
  { file: words, text: '    callback_date: "De sunat",', by: '    callback_date: "De sunat",\n    vat_rate: "Cota TVA",' },
];

test(`from ${upgradesFrom} to ${NEXT} and back again, each beside ${REQUESTS} requests: none fails, and nothing is lost`, async () => {
  const environment = { LIAISON_DATA_DIR: createDataDirectory(), LIAISON_DRAIN_SECONDS: "2" };
  const first = await servingOf(environment, MAIN);
  const token = demoToken(first);
  const owner = await connectTo(environment.LIAISON_DATA_DIR);
  await owner.query(LEFT_BEHIND);

  const balancer = createBalancer();
  await balancer.add(first);
  const forward = createLoad(balancer.next, token);
  await forward.untilAnswered(REQUESTS / 4);
  const next = await servingOf(environment, nextRelease(MIGRATIONS, EDITS));
  await balancer.add(next);
  // Both serve.
  await forward.untilAnswered(REQUESTS / 2);
  const rated = await request(next.url, "POST", "/api/v1/companies", { name: "Rated", vat_rate: "19.00" }, { token });
  assert.deepEqual([rated.status, rated.body.data.vat_rate], [201, "19.00"]);
  const company = `/api/v1/companies/${rated.body.data.id}`;
  const changed = await request(first.url, "PUT", company, { city: "Turda", status: "active" }, { token });
  assert.deepEqual([changed.status, "vat_rate" in changed.body.data], [200, false]);
  await balancer.stop(first);
  await forward.untilAnswered(REQUESTS);
  await forward.end();

  const back = createLoad(balancer.next, token);
  await back.untilAnswered(REQUESTS / 4);
  const again = await servingOf(environment, MAIN);
  await balancer.add(again);
  await back.untilAnswered(REQUESTS / 2);
  await balancer.stop(next);
  await back.untilAnswered(REQUESTS);
  await back.end();
  const { body } = await request(again.url, "GET", `${company}/history`, undefined, { token });
  assert.equal(body.data.length, 2);

  await balancer.stop(again);
  const last = await servingOf(environment, nextRelease(MIGRATIONS, EDITS));
  const kept = await request(last.url, "GET", company, undefined, { token });
  assert.deepEqual([kept.body.data.vat_rate, kept.body.data.city], ["19.00", "Turda"]);
  for (const load of [forward, back]) await load.compare(last.url);
  await owner.end();
});

async function servingOf(environment: Record<string, string>, file: string): Promise<Server> {
  const program = start(["serve"], environment, "", [], file);
  const url = () => /Liaison is ready at (\S+)/.exec(program.output())?.[1];
  await poll("the server's start", () => {
    if (program.process.exitCode !== null) throw new Error(`it ended: ${program.complaints()}`);
    return url() !== undefined;
  });
  return { ...program, url: String(url()) };
}

/** Sends requests in turn to the servers that say that they are ready, as docs/operations/haproxy.cfg does. */
function createBalancer() {
  const [servers, ready] = [new Set<string>(), new Set<string>()];
  let turn = 0;
  const look = async (url: string): Promise<void> => {
    const { status } = await request(url, "GET", "/health/ready").catch(() => ({ status: 0 }));
    if (status === 200 && servers.has(url)) ready.add(url);
    else ready.delete(url);
  };
  return {
    next: () => [...ready][turn++ % ready.size] ?? "",
    async add({ url }: Server) {
      servers.add(url);
      await look(url);
      assert.ok(ready.has(url));
    },
    /** Ends a server: it is not ready for two seconds, but serves, and no request goes to it any more. */
    async stop({ url, process, ended }: Server) {
      process.kill("SIGTERM");
      await poll("its drain", async () => {
        await look(url);
        return !ready.has(url);
      });
      servers.delete(url);
      assert.equal(await ended, 0);
    },
  };
}

/** Callers that send one request after the other until they are ended, each about companies of its own. */
function createLoad(next: () => string, token: string) {
  let answered = 0;
  const over = new AbortController();
  after(() => over.abort());
  const failed: string[] = [];
  const cities = new Map<string, string>();
  const send = async (url: string, method: string, path: string, body?: unknown): Promise<Answer | null> => {
    const answer = await request(url, method, path, body, { token }).catch((error: Error) => error);
    answered++;
    if (!(answer instanceof Error) && answer.status < 300) return answer;
    failed.push(`${method} ${path}: ${answer instanceof Error ? answer.message : answer.text}`);
    return null;
  };
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let n = 0; !over.signal.aborted; n++) {
      const to = async (method: string, path: string, body?: unknown) => await send(next(), method, path, body);
      const made = await to("POST", "/api/v1/companies", { name: `Caller ${caller} ${n}`, country: "Romania" });
      if (made === null) continue;
      const company = `/api/v1/companies/${made.body.data.id}`;
      const number = `${caller}-${n}-${made.body.data.id}`;
      const lines = [{ description: "A", quantity: 1, unit_price: "2.00" }];
      await to("PUT", company, { city: number });
      cities.set(company, number);
      await to("GET", company);
      const person = await to("POST", `${company}/contacts`, { first_name: "Eva", last_name: "Ene", phone: "+40 722 000 000" });
      await to("POST", `${company}/invoices`, { number, lines });
      await to("GET", `/api/v1/companies?search=${number}`);
      await to("GET", "/api/v1/companies?per_page=20&include=invoices");
      await to("POST", "/api/v1/companies/batch", { items: [{ name: `Batch ${number}` }] });
      const contact = `/api/v1/contacts/${person?.body.data.id}`;
      await to("DELETE", contact);
      await to("POST", `${contact}/restore`);
      await to("GET", `${company}/history`);
      await to("GET", "/api/v1/changes?limit=5");
    }
  });
  return {
    untilAnswered: async (least: number) => await poll(`${least} answers`, () => answered >= least, 600),
    async end() {
      over.abort();
      await Promise.all(callers);
      console.log(`${answered} requests, ${failed.length} failed, ${cities.size} companies`);
      assert.deepEqual(failed.slice(0, 5), []);
    },
    /** Each company has the city that the last answer confirmed. */
    async compare(url: string) {
      for (const [company, city] of cities) {
        assert.equal((await request(url, "GET", company, undefined, { token })).body.data.city, city);
      }
    },
  };
}
