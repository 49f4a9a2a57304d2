import assert from "node:assert/strict";
import { test } from "node:test";
import { actingAs } from "../../../src/kit/actor.ts";
import { confirm, everyCandidate, type Candidate } from "../../../src/orders/wms/confirming/reconfirm.ts";
import { administer } from "./instance-calls.ts";
import { startWithWarehouse } from "./warehouse.ts";

const server = await startWithWarehouse();
const tenant = await server.createTenant();
const actor = actingAs("command", { id: tenant.id, country: "Romania" });
let numbers = 0;
let instances = 0;

type Linked = { id: number; number: string; instance: string; company: string };

/** A company with a fiscal id, connected with an instance of its own. */
async function connected(taxId: string | null): Promise<{ company: string; instance: string }> {
  const instance = `r${++instances}`;
  const company = await server.connect(tenant, instance);
  await tenant.put(`/api/v1/companies/${company}`, { tax_id: taxId });
  return { company, instance };
}

/** An invoice of a company that is linked with an order, nobody knows where. */
async function linked(
  { company, instance }: { company: string; instance: string },
  orderId: number,
  total: string | null = "1250.00",
): Promise<Linked> {
  const number = `R-${++numbers}`;
  const { body, status } = await tenant.post(`/api/v1/companies/${company}/invoices`, { number, total });
  assert.equal(status, 201, JSON.stringify(body));
  await server.sql("update invoices set wms_order_id = $3 where tenant_id = $1 and id = $2", [
    tenant.id,
    body.data.id,
    orderId,
  ]);
  return { id: body.data.id, number, instance, company };
}

async function order(instance: string, members: object): Promise<number> {
  const answer = (await administer(server.simulator, "POST", `/orders/${instance}`, members)) as {
    data: { order_id: number };
  };
  return answer.data.order_id;
}

async function candidates(): Promise<Candidate[]> {
  const all: Candidate[] = [];
  for await (const page of everyCandidate(server.deps, tenant.id, new AbortController().signal)) all.push(...page);
  return all;
}

async function candidateOf({ id }: Linked): Promise<Candidate> {
  const found = (await candidates()).find(({ link }) => link.invoiceId === String(id));
  assert.ok(found);
  return found;
}

const wmsOf = async ({ id }: Linked) => (await tenant.get(`/api/v1/invoices/${id}`)).body.data.wms;
/** The first order of every instance. */
const FIRST = 50_001;

type Case = {
  name: string;
  taxId?: string | null;
  total?: string | null;
  /** The orders of the warehouse, the first of which has the link's id. */
  orders: (invoice: Linked) => object[];
  grade: string;
  /** The number of orders that fit as well or instead. */
  others?: number;
};

const ours = ({ id }: Linked) => ({ external_source: `liaison/${tenant.slug}`, external_order_id: String(id) });
const cases: Case[] = [
  { name: "the pair is ours, whatever else differs", orders: (it) => [ours(it)], grade: "exact" },
  {
    name: "number, fiscal id and total agree, each as it may be written",
    taxId: "ro 1234 501",
    orders: ({ number }) => [{ invoice_reference: number, client_cui: "1234501", total: "01250.0" }],
    grade: "exact",
  },
  {
    name: "number and fiscal id agree, the total does not",
    orders: ({ number }) => [{ invoice_reference: number, client_cui: "RO1234502", total: "1250.01" }],
    grade: "strong",
  },
  {
    name: "number and fiscal id agree, and we have no total",
    total: null,
    orders: ({ number }) => [{ invoice_reference: number, client_cui: "ro1234502", total: "1250.00" }],
    grade: "strong",
  },
  {
    name: "only the number agrees",
    orders: ({ number }) => [{ invoice_reference: number, client_cui: "RO999", total: "1250.00" }],
    grade: "ambiguous",
  },
  {
    name: "only the fiscal id agrees",
    orders: () => [{ invoice_reference: "OTHER", client_cui: "1234502", total: "1250.00" }],
    grade: "ambiguous",
  },
  {
    name: "we have no fiscal id to compare",
    taxId: null,
    orders: ({ number }) => [{ invoice_reference: number, client_cui: "RO1234502", total: "1250.00" }],
    grade: "ambiguous",
  },
  {
    name: "another order fits as well, its fiscal id written in another way",
    orders: (it) => [ours(it), { invoice_reference: it.number, client_cui: "1234502" }],
    grade: "ambiguous",
    others: 1,
  },
  {
    name: "another order has our pair instead",
    orders: (it) => [{ invoice_reference: "OTHER" }, ours(it)],
    grade: "ambiguous",
    others: 1,
  },
  {
    name: "nothing agrees but the total",
    orders: () => [{ invoice_reference: "OTHER", client_cui: "RO999", total: "1250.00" }],
    grade: "none",
  },
  { name: "the warehouse has no such order", orders: () => [], grade: "none" },
];

for (const { name, taxId = "RO1234502", total, orders, grade, others = 0 } of cases) {
  test(`${grade}: ${name}`, async () => {
    const home = await connected(taxId);
    const invoice = await linked(home, FIRST, total);
    for (const members of orders(invoice)) await order(home.instance, members);
    const { evidence } = await candidateOf(invoice);
    assert.deepEqual(
      [evidence.grade, evidence.others.length, evidence.instance, evidence.failure],
      [grade, others, `${home.instance}.localhost`, null],
    );
    assert.equal((await wmsOf(invoice)).instance, null, "looking changes nothing");
    if (taxId !== null) await tenant.put(`/api/v1/companies/${home.company}`, { tax_id: null });
  });
}

test("an order is known by the fiscal id of a merged company, and a warehouse is remembered, also after the undo", async () => {
  const merge = async (kept: string, from: string) => {
    const merged = await tenant.post(`/api/v1/companies/${kept}/merge`, { from: Number(from) });
    assert.equal(merged.status, 200, merged.text);
    return `/api/v1/merges/${merged.body.meta.merge_id}/undo`;
  };
  const home = await connected("RO4001");
  const merged = await server.connect(tenant, home.instance);
  await tenant.put(`/api/v1/companies/${merged}`, { tax_id: "RO4002" });
  const invoice = await linked({ ...home, company: merged }, FIRST);
  await order(home.instance, { invoice_reference: invoice.number, client_cui: "4002", total: "1250.00" });
  const grade = async () => (await candidateOf(invoice)).evidence.grade;
  assert.equal(await grade(), "exact");
  const undo = await merge(home.company, merged);
  assert.equal(await grade(), "exact");
  await tenant.put(`/api/v1/companies/${home.company}`, { tax_id: "RO4003" });
  assert.equal(await grade(), "exact");
  assert.equal((await tenant.post(undo)).status, 200);
  assert.equal(await grade(), "exact");

  // Its warehouse may have an order of a lost attempt.
  const former = await connected("RO4004");
  const { body } = await tenant.post(`/api/v1/companies/${former.company}/invoices`, { number: "LOST-1" });
  await server.sql("update companies set wms_subdomain = null, wms_api_key = null where id = $1", [former.company]);
  const kept = String((await tenant.post("/api/v1/companies", { name: "Without a warehouse" })).body.data.id);
  const isLocked = async () =>
    (await tenant.put(`/api/v1/invoices/${body.data.id}`, { number: `LOST-${++numbers}` })).status === 422;
  assert.equal(await isLocked(), false);
  await server.sql("update tenants set orders_lost_at = now() where id = $1", [tenant.id]);
  assert.equal(await isLocked(), true);
  const undoFormer = await merge(kept, former.company);
  assert.equal(await isLocked(), true);
  await tenant.post(undoFormer);
  assert.equal(await isLocked(), true);
  await server.sql("update tenants set orders_lost_at = null where id = $1", [tenant.id]);
});

test("a link that is confirmed has its instance, is followed from then on, and the history says who it was", async () => {
  const home = await connected("RO777");
  const invoice = await linked(home, FIRST);
  await order(home.instance, ours(invoice));
  const confirmed = await confirm(server.deps, actor, [await candidateOf(invoice)]);
  assert.deepEqual(
    confirmed.map(({ link }) => link.number),
    [invoice.number],
  );
  const wms = await server.until(tenant, invoice.id, ({ status }) => status === "new");
  assert.deepEqual([wms.instance, wms.order_id], [`${home.instance}.localhost`, FIRST]);
  const history = (await tenant.get(`/api/v1/invoices/${invoice.id}/history`)).body.data;
  const change = history.find(({ changed }: { changed: object }) => "wms_instance" in changed);
  assert.deepEqual(change.changed.wms_instance, { from: null, to: `${home.instance}.localhost` });
  assert.equal(change.by.kind, "command");
  assert.ok(!(await candidates()).some(({ link }) => link.number === invoice.number));
});

test("a link that has changed since the evidence was collected is not confirmed", async () => {
  const home = await connected("RO778");
  const [moved, named] = [await linked(home, FIRST), await linked(home, FIRST + 1)];
  for (const invoice of [moved, named]) await order(home.instance, ours(invoice));
  const seen = [await candidateOf(moved), await candidateOf(named)];
  assert.deepEqual(
    seen.map(({ evidence }) => evidence.grade),
    ["exact", "exact"],
  );
  await server.sql("update invoices set wms_order_id = 9 where tenant_id = $1 and id = $2", [tenant.id, moved.id]);
  await server.sql("update invoices set wms_instance = 'elsewhere' where tenant_id = $1 and id = $2", [
    tenant.id,
    named.id,
  ]);
  assert.deepEqual(await confirm(server.deps, actor, seen), []);
  assert.equal((await wmsOf(moved)).instance, null);
  assert.equal((await wmsOf(named)).instance, "elsewhere");
});

test("a warehouse that fails is evidence of nothing, says why, and confirms nothing; others are not touched by it", async () => {
  const [broken, sound] = [await connected("RO779"), await connected("RO780")];
  const [first, second] = [await linked(broken, FIRST), await linked(broken, FIRST + 1)];
  const other = await linked(sound, FIRST);
  for (const invoice of [first, second, other]) await order(invoice.instance, ours(invoice));
  await administer(server.simulator, "PUT", `/faults?instance=${broken.instance}`, { "500-before": 1 });
  for (const invoice of [first, second]) {
    const candidate = await candidateOf(invoice);
    assert.equal(candidate.evidence.grade, "none");
    const { status: _status, ...failure } = { status: 0, ...candidate.evidence.failure };
    assert.deepEqual(failure, { code: "unanswered", why: "status" });
    assert.deepEqual(await confirm(server.deps, actor, [candidate]), []);
    assert.equal((await wmsOf(invoice)).instance, null);
  }
  assert.equal((await candidateOf(other)).evidence.grade, "exact");
});

test("a link of which the warehouse has no order is not confirmed, through any door", async () => {
  const home = await connected("RO781");
  const invoice = await linked(home, FIRST);
  const candidate = await candidateOf(invoice);
  assert.equal(candidate.evidence.grade, "none");
  assert.deepEqual(await confirm(server.deps, actor, [candidate]), []);
  assert.equal((await wmsOf(invoice)).instance, null);
});

test("a link of a company without a connection is never confirmed, and a tenant has its own alone", async () => {
  const others = await server.createTenant();
  const home = await connected("RO782");
  const invoice = await linked(home, FIRST);
  for await (const page of everyCandidate(server.deps, others.id, new AbortController().signal))
    assert.deepEqual(page, []);
  await server.sql("update companies set wms_api_key = null where tenant_id = $1 and id = $2", [
    tenant.id,
    home.company,
  ]);
  const called = async () => {
    const { instances } = (await administer(server.simulator, "GET", "/ledger")) as { instances: object };
    return Object.keys(instances).includes(home.instance);
  };
  const candidate = await candidateOf(invoice);
  assert.deepEqual(
    [candidate.evidence.grade, candidate.evidence.instance, candidate.evidence.failure],
    ["none", null, { code: "disconnected" }],
  );
  assert.equal(await called(), false, "nobody was asked");
  assert.deepEqual(await confirm(server.deps, actor, [candidate]), []);
  assert.equal((await wmsOf(invoice)).instance, null);
});

test("an order belongs to one invoice, which keeps it, and the others name that invoice", async () => {
  const home = await connected("RO783");
  const [first, second] = [await linked(home, FIRST), await linked(home, FIRST)];
  await order(home.instance, { invoice_reference: "OTHER", client_cui: "RO783" });
  const [one, two] = [await candidateOf(first), await candidateOf(second)];
  assert.deepEqual(await confirm(server.deps, actor, [one, two]), [], "neither fits better");
  const answers = await Promise.all([one, two].map(async (each) => await confirm(server.deps, actor, [each])));
  assert.equal(answers.flat().length, 1, "at the same time");
  const [loser, winner] = answers[0]?.length === 0 ? [first, second] : [second, first];
  assert.deepEqual(
    [(await wmsOf(loser)).instance, (await wmsOf(winner)).instance],
    [null, `${home.instance}.localhost`],
  );
  const { evidence } = await candidateOf(loser);
  assert.deepEqual([evidence.grade, evidence.heldBy], ["ambiguous", winner.number]);
  assert.deepEqual(
    await confirm(server.deps, actor, [
      { link: one.link, evidence },
      { link: two.link, evidence },
    ]),
    [],
  );
});

test("of several that are linked with one order the one that it fits best gets it", async () => {
  const home = await connected("RO784");
  const [worse, better] = [await linked(home, FIRST), await linked(home, FIRST)];
  await order(home.instance, ours(better));
  const seen = [await candidateOf(worse), await candidateOf(better)];
  const confirmed = await confirm(server.deps, actor, seen);
  assert.deepEqual(
    confirmed.map(({ link }) => link.number),
    [better.number],
  );
  // Another warehouse has an order of this id too.
  const elsewhere = await connected("RO785");
  const same = await linked(elsewhere, FIRST);
  await order(elsewhere.instance, ours(same));
  assert.equal((await confirm(server.deps, actor, [await candidateOf(same)])).length, 1);
});
