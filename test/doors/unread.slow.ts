import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { withLongestFields } from "../customers/custom-fields/longest-fields.ts";
import { everyDoor } from "../every-door.ts";
import { startImportServer } from "../exchange/imports/import-server.ts";
import type { TestTenant } from "../harness.ts";
import { poll, serve } from "../program.ts";
import { waiting } from "./pages/pending-cases.ts";
import { operatorIn, signedIn, visitor } from "./pages/visitor.ts";
import { askWithoutReading, cookiesOf, idFrom, LONG, withLongCompanies } from "./unread-answers.ts";

/** 500 to 530 are seen beside other work. A door without a bound takes gigabytes, and ends the server by HEAP first. */
const MEGABYTES = 640;
/**
 * V8 leaves rubbish lying about for as long as there is room: here there is little. What is young may take what
 * `npm start` lets it take.
 */
const HEAP = "--max-old-space-size=192 --max-semi-space-size=16";
const CLIENTS = 100;
/** One after the other between which a process that is idle has done next to nothing. */
const LOOKS = 6;
/** Between two parts of an answer their tenant rests. */
const LOOKS_BETWEEN_PARTS = 60;
/** The beginning of a picture, and the most bytes of a logo. */
const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const LOGO_BYTES = 200 * 1024;
/** Letters of a form, which has at most 50: with the invoices of all of them /today answers some callers 503. */
const LETTERS = 5;
/** Characters of a file whose rows are all refused. */
const REFUSED = 4 * 2 ** 20;

const server = await startImportServer();
const program = await serve({
  ...server.environment,
  LIAISON_RATE_LIMIT: "0",
  LIAISON_COMPANY_LOOKUP_URL: "http://register.localhost:1",
  NODE_OPTIONS: HEAP,
});

/** Of the server's process since it began, in megabytes. */
function mostMemory(): number {
  const status = fs.readFileSync(`/proc/${program.process.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

function assertRunning(): void {
  const { exitCode, signalCode } = program.process;
  assert.deepEqual({ exitCode, signalCode }, { exitCode: null, signalCode: null }, program.complaints().slice(-4_000));
}

/** The processor's time that the server's process has used, in hundredths of a second. */
function usedTime(): number {
  assertRunning();
  const stat = fs.readFileSync(`/proc/${program.process.pid}/stat`, "utf8");
  const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14);
  return Number(user) + Number(system);
}

/** Resolves when the server makes no more of the answer. */
async function untilIdle(what: string, looks: number): Promise<void> {
  let times: number[] = [];
  await poll(`the end of the work for ${what}`, () => {
    times = [...times, usedTime()].slice(-looks);
    return times.length === looks && (times.at(-1) ?? 0) - (times[0] ?? 0) <= 1;
  });
}

/** The id in the first row of what SQL returns. */
const one = async (text: string, ...parameters: unknown[]) => await idFrom(server, text, ...parameters);

/** Calls to come, and all that is written about what a company owes. */
async function withCallsAndReminders(tenant: TestTenant, company: string, invoice: string): Promise<string> {
  const call = await one(
    `with made as (
      insert into planned_calls (tenant_id, company_id, invoice_id, due_on, about)
      select $1, $2, $3, '2026-01-01', repeat('😀', 255) from generate_series(1, 200) returning id
    ) select min(id) as id from made`,
    tenant.id,
    company,
    invoice,
  );
  // A letter has at most 300 invoices.
  await server.sql(
    `insert into invoices (tenant_id, company_id, number, issued_on, due_on, total, currency)
    select $1, $2::bigint + c, lpad((c * 300 + n)::text, 255, 'ș'), '2026-01-01', '2026-02-01', 1, 'RON'
    from generate_series(0, $3::integer - 1) c, generate_series(1, 300) n`,
    [tenant.id, company, LETTERS],
  );
  await server.sql(
    `with made as (
      insert into reminders (tenant_id, company_id, level, state, changed_by)
      select $1, $2, 3, 'sent', 'command' from generate_series(1, 200) returning id
    ) insert into reminded (tenant_id, reminder_id, invoice_id)
      select $1, r.id, i.id from made r, invoices i where i.tenant_id = $1 and i.company_id = $2`,
    [tenant.id, company],
  );
  await server.sql(
    "insert into promises (tenant_id, company_id, until, note, changed_by) values ($1, $2, '2026-02-01', repeat('😀', 500), 'command')",
    [tenant.id, company],
  );
  const text = { subject: "😀".repeat(150), opening: "😀".repeat(1_500), closing: "😀".repeat(1_500) };
  const texts = Object.fromEntries(["en1", "en2", "en3", "ro1", "ro2", "ro3"].map((key) => [key, text]));
  await server.sql(
    `insert into workspace_details (tenant_id, reminder_texts) values ($1, $2::text::jsonb)
    on conflict (tenant_id) do update set reminder_texts = excluded.reminder_texts`,
    [tenant.id, JSON.stringify(texts)],
  );
  return call;
}

/** The merge of a company with as many contacts as another one, both as long as they may be. */
async function merged(tenant: TestTenant, company: string): Promise<string> {
  const from = await one("select max(id) as id from companies where tenant_id = $1", tenant.id);
  await server.sql(
    `insert into contacts (tenant_id, company_id, first_name, last_name, notes)
    select $1, $2, 'Ion', 'Pop ' || n, repeat('ț', $3) from generate_series(1, 200) n`,
    [tenant.id, from, LONG],
  );
  const fields = { notes: "from", delivery_notes: "from" };
  const { text, body } = await tenant.post(`/api/v1/companies/${company}/merge`, { from: Number(from), fields });
  assert.ok(body.meta?.merge_id, text);
  return String(body.meta.merge_id);
}

/** A tenant whose rows are as long as they may be; paths by the word before the parameter. */
async function withLongRows(tenant: TestTenant, admin: { userId: number }): Promise<Record<string, string>> {
  const company = await withLongCompanies(server, tenant);
  const contact = await one(
    `with made as (
      insert into contacts (tenant_id, company_id, first_name, last_name, notes)
      select $1, $2, 'Ana', 'Pop ' || n, repeat('ș', $3) from generate_series(1, 200) n returning id
    ) select min(id) as id from made`,
    tenant.id,
    company,
    LONG,
  );
  const address = await one(
    `with made as (
      insert into addresses (tenant_id, company_id, address, country, delivery_notes)
      select $1, $2, 'Strada ' || n, 'Romania', repeat('ș', $3) from generate_series(1, 200) n returning id
    ) select min(id) as id from made`,
    tenant.id,
    company,
    LONG,
  );
  const invoice = await one(
    `with made as (
      insert into invoices (tenant_id, company_id, number, issued_on, due_on, total, currency, lines)
      select $1, $2, 'L-' || n, '2026-01-01', '2026-02-01', 1, 'RON', (
        select jsonb_agg(jsonb_build_object('sku', repeat('ș', 100), 'description', repeat('ț', 255), 'quantity', '1', 'unit_price', '1'))
        from generate_series(1, 500)
      ) from generate_series(1, 50) n returning id
    ) select min(id) as id from made`,
    tenant.id,
    company,
  );
  const payment = await one(
    `with made as (
      insert into payments (tenant_id, company_id, invoice_id, amount, paid_on, means, reference)
      select $1, $2, $3, 0.01, '2026-01-01', 'bank', repeat('ș', 100) from generate_series(1, 200) n returning id
    ) select min(id) as id from made`,
    tenant.id,
    company,
    invoice,
  );
  const field = await withLongestFields(async (text, parameters) => await server.sql(text, parameters), {
    tenant: tenant.id,
    user: admin.userId,
    records: 200,
  });
  const call = await withCallsAndReminders(tenant, company, invoice);
  // Nobody is called: what is sent of all these changes meanwhile would be memory and time of no answer.
  const webhook = await one(
    `with made as (
      insert into webhooks (tenant_id, url, types, active, description, secret, position)
      select $1, 'https://a.example/' || repeat('ș', 1982), '["*"]', false, repeat('ț', 255), '', 0 from generate_series(1, 200) n returning id
    ) select min(id) as id from made`,
    tenant.id,
  );
  const delivery = await one(
    `with made as (
      insert into webhook_deliveries (tenant_id, webhook_id, round, change_id, type, resource, state)
      select $1, $2, 0, c.id, 'company.created', 'company/' || n, 'delivered'
      from (select id from changes where tenant_id = $1 order by octet_length(changed) desc limit 1) c, generate_series(1, 200) n returning id
    ) select min(id) as id from made`,
    tenant.id,
    webhook,
  );
  await server.sql(
    `do $$ begin
      for n in 1..100 loop update contacts set notes = repeat(case when n % 2 = 0 then '😀' else '😃' end, ${LONG}) where id = ${contact}; end loop;
    end $$`,
  );
  const refused = await tenant.createImport(`name,notes\n${`,${"x".repeat(1_000)}\n`.repeat(REFUSED / 1_000)}`);
  return {
    companies: company,
    contacts: contact,
    addresses: address,
    invoices: invoice,
    payments: payment,
    imports: refused,
    webhooks: webhook,
    deliveries: delivery,
    "custom-fields": field,
    "workspace/fields": field,
    calls: call,
    merges: await merged(tenant, company),
    activities: await one(
      `insert into activities (tenant_id, company_id, kind, note, at, changed_by)
      values ($1, $2, 'note', repeat('ș', $3), now(), 'user:' || $4::text) returning id`,
      tenant.id,
      company,
      LONG,
      admin.userId,
    ),
    history: await one("select max(id) as id from changes where tenant_id = $1", tenant.id),
    views: await one(
      "insert into list_views (tenant_id, user_id, name, filters) values ($1, $2, 'V', 'city=B') returning id",
      tenant.id,
      admin.userId,
    ),
    "contacts/views": await one(
      "insert into list_views (tenant_id, user_id, list, name, filters) values ($1, $2, 'contacts', 'W', 'search=B') returning id",
      tenant.id,
      admin.userId,
    ),
    "orders/views": await one(
      "insert into list_views (tenant_id, user_id, list, name, filters) values ($1, $2, 'orders', 'O', 'search=B') returning id",
      tenant.id,
      admin.userId,
    ),
    keys: String((await tenant.createKey()).id),
    pending: (await waiting("")(tenant)).replace("/agents/pending/", ""),
    users: String(admin.userId),
    invitations: (await tenant.invite()).token,
    tenants: tenant.slug,
    assets: "any",
    docs: "contract",
    oidc: tenant.slug,
    passkeys: await one(
      `insert into passkeys (tenant_id, user_id, name, credential_id, public_key, user_handle, counter, verifies)
       values ($1, $2, 'Phone', 'id', 'key', 'handle', 0, true) returning id`,
      tenant.id,
      admin.userId,
    ),
    ":page": "19",
  };
}

/** What a page is asked for besides its path, without which it shows little. */
function queryOf(path: string, named: Record<string, string>): string {
  if (path.startsWith("/api/")) return "?per_page=200";
  if (path === "/find") return `?q=${encodeURIComponent("😀")}`;
  if (path.startsWith("/contacts/") && path.endsWith("/merge")) return `?with=${Number(named.contacts) + 1}`;
  if (path.endsWith("/merge")) return `?with=${Number(named.companies) + 1}`;
  const ids = Array.from({ length: LETTERS }, (_, index) => Number(named.companies) + index);
  return path === "/money/reminders" ? `?companies=${ids.join(",")}` : "";
}

/** The path with what it names filled in. */
function filled(path: string, named: Record<string, string>): string {
  const parts = path.split("/");
  return parts
    .map((part, index) => {
      if (!part.startsWith(":")) return part;
      const value = named[parts.slice(index - 2, index).join("/")] ?? named[parts[index - 1] ?? ""];
      assert.ok(value, `${path}: this test has nothing to name there`);
      return value;
    })
    .join("/");
}

test("whatever is asked for a hundred times at once, by clients that do not read, leaves the memory bounded", async () => {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { role: "admin" });
  const operator = await operatorIn(server);
  const named = await withLongRows(tenant, admin);
  const headersFor = (path: string) => [
    `Authorization: Bearer ${tenant.token}`,
    cookiesOf(path.startsWith("/operator") ? operator : admin),
  ];
  const reader = visitor(program);
  for (const [name, value] of admin.cookies) reader.cookies.set(name, value);
  const logo = Buffer.concat([PNG, Buffer.alloc(LOGO_BYTES - PNG.length)]);
  assert.equal((await reader.upload("/workspace/logo", {}, { "logo.png": logo })).status, 303);
  await poll("the end of the check", async () => {
    return !(await reader.get(`/imports/${named.imports}`)).text.includes("data-refresh");
  });
  const paths = everyDoor(server.server).flatMap(({ method, path }) => (method === "GET" ? [path] : []));
  assert.ok(paths.length > 80, paths.join(" "));
  for (const path of paths.map((each) => filled(each, named))) {
    const asked = `${path}${queryOf(path, named)}`;
    const refusals: string[] = [];
    // A slow machine puts off some of many.
    const refused = (text: string) => void (text.startsWith("HTTP/1.1 503 ") || refusals.push(text));
    const ask = () => askWithoutReading(program.url, asked, headersFor(path), refused);
    const clients = Array.from({ length: CLIENTS }, ask);
    await poll(`the first answer to ${path}`, () => {
      assertRunning();
      return refusals.length > 0 || clients.some(({ hasHeard }) => hasHeard());
    });
    const isInParts = clients.some((client) => client.isInParts());
    await untilIdle(path, isInParts ? LOOKS_BETWEEN_PARTS : LOOKS);
    for (const { socket } of clients) socket.destroy();
    assert.equal(refusals[0], undefined, `${path}: ${refusals[0]}\n${program.output().slice(-4_000)}`);
    const most = mostMemory();

    assert.ok(most < MEGABYTES, `${Math.round(most)} MB after ${path}`);
  }
});
