import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

/** Orders are selected, sent, exported and saved as every list is (src/kit/tables/). */
const server = await startServer();

/** A workspace with 479 invoices: every third one is a draft. */
async function firm(): Promise<{ tenant: TestTenant; member: Member; company: number }> {
  const tenant = await server.createTenant();
  const address = "Strada Lunii 3";
  const company = (await tenant.post("/api/v1/companies", { name: "Acme", address })).body.data.id;
  await server.sql("update companies set wms_subdomain = 'north', wms_api_key = 'key' where id = $1", [company]);
  await server.sql(
    `insert into invoices (tenant_id, company_id, number, status, total, currency, issued_on)
     select $1, $2, 'F-' || lpad(g::text, 4, '0'), case when g % 3 = 0 then 'draft' else 'issued' end, g, 'RON', '2026-11-01'
     from generate_series(1, 479) g`,
    [tenant.id, company],
  );
  return { tenant, member: await signedIn(server, tenant), company };
}

/** What the list posts if every row of the page and "all that match" are ticked. */
async function whole(member: Member, path: string) {
  const { text } = await member.get(path);
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "";
  const id = [...text.matchAll(/name="id" value="(\d+)"/g)].map(([, found = ""]) => found);
  const [, told = ""] = /<label class="all">.*?> ([^<]*)<\/label>/.exec(text) ?? [];
  return {
    told,
    text,
    form: { id, all: "1", rows: value("rows"), matching: value("matching").replaceAll("&amp;", "&"), to: path },
  };
}

const numbersOf = (csv: string) => csv.match(/\bF-\d{4}\b/g)?.toSorted() ?? [];
const queuedOf = async ({ id }: TestTenant) => {
  const [row] = await server.sql(
    "select count(*)::int as n from invoices where tenant_id = $1 and wms_state <> 'not_sent'",
    [id],
  );
  return Number(row?.n);
};

test("all that match are exported, or only the ticked rows, and nothing of another workspace", async () => {
  const { member } = await firm();
  const stranger = await firm();
  const { told, form } = await whole(member, "/orders");
  assert.equal(told, "Select all 479");
  const { text } = await member.post("/orders/export", form);
  assert.equal(numbersOf(text).length, 479);
  const some = { id: form.id.slice(0, 3) };
  assert.equal(numbersOf((await member.post("/orders/export", some)).text).length, 3);
  assert.equal(numbersOf((await stranger.member.post("/orders/export", some)).text).length, 0);
  const drafts = await whole(member, "/orders?state=draft");
  assert.equal(drafts.told, "Select all 159");
  assert.equal(numbersOf((await member.post("/orders/export", drafts.form)).text).length, 159);
  const withoutOne = { ...drafts.form, id: drafts.form.id.slice(1) };
  assert.equal(numbersOf((await member.post("/orders/export", withoutOne)).text).length, withoutOne.id.length);
});

test("all that match are sent in steps: what may not be sent is counted, and another filter is left alone", async () => {
  const { tenant, member } = await firm();
  const page = "/orders?state=draft";
  assert.equal((await member.post("/orders/send", (await whole(member, page)).form)).location, page);
  assert.match((await member.get(page)).text, /No invoice is being sent\. 159 invoices could not be sent\./);
  assert.equal(await queuedOf(tenant), 0);
  await member.post("/orders/send", (await whole(member, "/orders")).form);
  assert.match(
    (await member.get("/orders")).text,
    /Sending 320 invoices to the warehouse\. 159 invoices could not be sent\./,
  );
  assert.equal(await queuedOf(tenant), 320);
});

test("before many are sent, a page says in numbers what speaks against it, and sends what was selected", async () => {
  const { tenant, member, company } = await firm();
  const elsewhere = (await tenant.post("/api/v1/companies", { name: "Bricks", terms: { credit_limit: "100" } })).body
    .data.id;
  await server.sql("update companies set wms_subdomain = 'north', wms_api_key = 'key' where id = $1", [elsewhere]);
  const line = { description: "Pallet", quantity: "1", unit_price: "80" };
  for (const [number, due_on, total] of [
    ["G-1", "2026-01-05", "80"],
    ["G-2", "2099-01-05", "90"],
  ]) {
    const invoice = { number, issued_on: "2026-01-01", due_on, total, currency: "RON", lines: [line] };
    await tenant.post(`/api/v1/companies/${elsewhere}/invoices`, invoice);
  }
  await server.sql("update invoices set due_on = '2099-01-05' where company_id = $1", [company]);
  const { form } = await whole(member, "/orders");
  const { status, text } = await member.post("/orders/send", form);
  assert.equal(status, 200);
  assert.deepEqual(
    [...text.matchAll(/<(?:h1|p)>([^<]*)<\/(?:h1|p)>/g)].map(([, said]) => said),
    [
      "Send 322 invoices?",
      "1 invoice has another total than its lines.",
      "2 invoices have no street: the warehouse gets only the city.",
      "2 invoices have lines without a SKU: the warehouse gets only their descriptions.",
      "1 company is more than 30 days late with a payment.",
      "1 company owes more than its credit limit with these invoices.",
    ],
  );
  assert.equal(await queuedOf(tenant), 0);
  const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  const values = (name: string) => hidden.flatMap(([, each, value = ""]) => (each === name ? [value] : []));
  const [all, rows, matching, to] = ["all", "rows", "matching", "to"].map((name) => values(name)[0] ?? "");
  const again = { id: values("id"), all, rows, matching, to, anyway: "1" } as Record<string, string | string[]>;
  assert.equal((await member.post("/orders/send", again)).location, "/orders");
  assert.equal(await queuedOf(tenant), 322);
  const romanian = await member.post("/orders/send", { id: form.id.slice(0, 1) });
  assert.equal(romanian.status, 303);
});

test("a view of orders stands in the navigation, and the columns are a person's own", async () => {
  const { tenant, member } = await firm();
  const filters = "state=draft&days=month";
  const saved = await member.post("/orders/views", { name: "Drafts of the month", filters, for: "me" });
  assert.equal(saved.location, `/orders?${filters}`);
  assert.match(
    (await member.get(`/orders?${filters}`)).text,
    /<a href="\/orders\?state=draft&amp;days=month" title="Drafts of the month" aria-current="true">/,
  );
  assert.match((await member.get("/orders?sort=total")).text, /<form method="post" action="\/orders\/views">/);
  assert.doesNotMatch((await member.get("/orders?state=draft")).text, /action="\/orders\/views"/);
  await member.post("/orders/columns", { column: ["total", "due_on", "x"], to: "/orders" });
  const heads = async (visitor: Member, path: string) =>
    [
      ...(/<thead>.*?<\/thead>/s
        .exec((await visitor.get(path)).text)?.[0]
        .matchAll(/(?:<a|<span|<th)[^>]*>([^<>\n]+)</g) ?? []),
    ].map(([, head = ""]) => head.trim());
  assert.deepEqual(await heads(member, "/orders"), ["Number", "Total", "Due", "Send"]);
  const other = await signedIn(server, tenant);
  assert.deepEqual(await heads(other, "/orders"), [
    "Number",
    "Company",
    "Issued",
    "Total",
    "Payment",
    "Order",
    "Updated",
    "Send",
  ]);
});
