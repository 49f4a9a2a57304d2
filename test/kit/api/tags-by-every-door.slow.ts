import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../doors/api/resources.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startImportServer } from "../../exchange/imports/import-server.ts";
import { request, type Answer } from "../../harness.ts";
import { serve } from "../../program.ts";
import { fc, runs } from "../../properties.ts";

/**
 * Tags beside whatever writes (docs/contract.md 15): the API, forms, imports, the warehouse, an operator's SQL; and in
 * two processes.
 */
const server = await startImportServer();
const tenant = await server.createTenant();
const owner = await tenant.createUser("Ana");
const member = await signedIn(server, tenant);
const WRITERS = 12;

const word = fc.constantFrom("A", "B", "C");
const step = fc.record({
  door: fc.constantFrom("put", "form", "import", "restore", "child", "rename", "warehouse", "sql"),
  noun: fc.constantFrom("companies", "contacts", "addresses", "invoices"),
  word,
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Ids = Record<Step["noun"], number>;

/** A field of each noun that every door writes. */
const FIELD = { companies: "city", contacts: "notes", addresses: "city", invoices: "currency" } as const;

test("in whatever order doors write, equal tags mean equal bodies, and If-Match knows the present state", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const ids = await everyNoun();
      const seen = new Map<string, string>();
      const past = new Map<string, { tag: string; state: number }[]>();
      const states = new Map<string, { own: string; state: number }>();
      for (const each of [null, ...steps]) {
        if (each !== null) await take(each, ids);
        for (const [noun, id] of Object.entries(ids)) {
          const path = `/api/v1/${noun}/${id}`;
          const answer = await tenant.get(path);
          assert.equal(answer.status, 200, answer.text);
          const tag = tagOf(answer);
          assert.equal(seen.get(`${path} ${tag}`) ?? answer.text, answer.text);
          seen.set(`${path} ${tag}`, answer.text);
          const own = ownPart(noun, answer);
          const { state = 0, own: before = own } = states.get(path) ?? {};
          states.set(path, { own, state: own === before ? state : state + 1 });
          past.set(path, [...(past.get(path) ?? []), { tag, state: states.get(path)?.state ?? 0 }]);
        }
      }
      for (const [path, tags] of past) {
        for (const { tag, state } of tags) {
          const { status } = await write(server.url, path, tag, {});
          assert.equal(status, state === states.get(path)?.state ? 200 : 412, `${path} ${JSON.stringify(tags)}`);
        }
      }
    }),
    { numRuns: runs(12) },
  );
});

test("of many writers with one tag in two processes one wins", async () => {
  const other = await serve(server.environment);
  const ids = await everyNoun();
  for (const [noun, id] of Object.entries(ids)) {
    const path = `/api/v1/${noun}/${id}`;
    const tag = tagOf(await tenant.get(path));
    const answers = await Promise.all(
      Array.from({ length: WRITERS }, async (_, index) => {
        const field = FIELD[noun as Step["noun"]];
        return await write(index % 2 === 0 ? server.url : other.url, path, tag, { [field]: `W${index}` });
      }),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [200, ...Array<number>(WRITERS - 1).fill(412)], noun);
  }
});

async function take({ door, noun, word }: Step, ids: Ids): Promise<void> {
  const path = `/api/v1/${noun}/${ids[noun]}`;
  switch (door) {
    case "put":
      return void (await tenant.put(path, { [FIELD[noun]]: word }));
    case "form":
      if (noun !== "invoices") await member.post(`/${noun}/${ids[noun]}`, { [FIELD[noun]]: word });
      return;
    case "import": {
      const { tax_id } = (await tenant.get(`/api/v1/companies/${ids.companies}`)).body.data;
      await server.importText(tenant, "companies", `tax_id,name,city\n${tax_id},Acme,${word}\n`);
      const { number } = (await tenant.get(`/api/v1/invoices/${ids.invoices}`)).body.data;
      const csv = `number,company_tax_id,currency,wms_instance,wms_order_id,wms_status\n${number},${tax_id},${word},a.wms.example,7,${word}\n`;
      await server.importText(tenant, "invoices", csv);
      return;
    }
    case "restore":
      if (noun === "contacts" || noun === "addresses") await tenant.delete(path);
      if (noun !== "invoices") await tenant.post(`${path}/restore`);
      return;
    case "child":
      return void (await tenant.post(`/api/v1/companies/${ids.companies}/contacts`, {
        first_name: word,
        last_name: word,
      }));
    case "rename":
      return void (await server.sql("update users set name = $2 where id = $1", [owner, word]));
    case "warehouse":
      return void (await server.sql(
        `update invoices set wms_status = $2, wms_instance = 'a.wms.example', wms_order_id = 7, changed_by = 'worker',
          updated_at = moment_after(updated_at) where id = $1`,
        [ids.invoices, word],
      ));
    case "sql":
      return void (await server.sql("update invoices set status = $2 where id = $1", [
        ids.invoices,
        { A: "draft", B: "issued", C: "paid" }[word],
      ]));
  }
}

async function everyNoun(): Promise<Ids> {
  const { Company, Contact, Address, Invoice } = await make(tenant, ["Company", "Contact", "Address", "Invoice"]);
  assert.ok(Company !== undefined && Contact !== undefined && Address !== undefined && Invoice !== undefined);
  await tenant.put(`/api/v1/companies/${Company}`, { tax_id: `RO${Company}`, assigned_to: owner, name: "Acme" });
  return { companies: Company, contacts: Contact, addresses: Address, invoices: Invoice };
}

/** What an answer has of the resource itself: If-Match stands on it. */
function ownPart(noun: string, { body }: Answer): string {
  const { contacts_count: _c, addresses_count: _a, assigned_user: _u, company: _o, wms: _w, ...own } = body.data;
  return JSON.stringify(noun === "invoices" ? { ...own, updated_at: null } : own);
}

function tagOf({ headers }: Answer): string {
  const etag = headers.get("etag");
  assert.ok(etag !== null);
  return etag;
}

async function write(url: string, path: string, ifMatch: string, body: object): Promise<Answer> {
  return await request(url, "PUT", path, body, { token: tenant.token, headers: { "if-match": ifMatch } });
}
