import assert from "node:assert/strict";
import { test } from "node:test";
import { changeLines } from "../../doors/pages/change-lines.ts";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

const server = await startServer();

async function firm() {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Ana Pop", role: "admin" });
  const id = (await tenant.post("/api/v1/companies", { name: "Acme", city: "Turda" })).body.data.id as number;
  return { tenant, member, id, path: `/companies/${id}` };
}

/** The lines of a company's activity, as a person reads them; of a folded one its summary. */
async function lines(member: Member, path: string): Promise<string[]> {
  const { text } = await member.get(`${path}?activity=changes`);
  const list = /<section class="section" id="happened">([^]*?)<p class="foot">/.exec(text)?.[1] ?? "";
  return list
    .split(/<li>(?=<time)/)
    .slice(1)
    .map((line) =>
      (line.split("</summary>")[0] ?? "")
        .replaceAll(/<h3[^]*|<time[^]*?<\/time>/g, " ")
        .replaceAll(/<[^>]+>/g, "")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
}

test("the acts of an order are sentences, in both languages", async () => {
  const { tenant, member, id } = await firm();
  const invoice = (await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "F-1" })).body.data.id;
  const move = async (set: string) =>
    await server.sql(
      `update invoices set ${set}, changed_by = 'worker', updated_at = moment_after(updated_at) where tenant_id = $1`,
      [tenant.id],
    );
  await move("wms_instance = 'nord', wms_order_id = 7, wms_order_number = 'WO-7', wms_status = 'new'");
  await move("wms_status = 'picking'");
  await move("wms_status = 'cancelled'");
  assert.equal((await member.post(`/invoices/${invoice}/settle`)).status, 303);
  await move("wms_gone_at = now()");
  await member.post(`/invoices/${invoice}/settle`);
  await tenant.put(`/api/v1/invoices/${invoice}`, { status: "paid" });
  const told = changeLines((await member.get("/history?type=invoice")).text);
  assert.deepEqual(told.slice(0, -1), [
    "test (API key) marked F-1 as paid",
    "Ana Pop accepted the missing order WO-7 of F-1",
    "The order WO-7 of F-1 is missing in the warehouse",
    "Ana Pop accepted the cancelled order WO-7 of F-1",
    "The order WO-7 of F-1 went from Picking to Cancelled",
    "The order WO-7 of F-1 went from New to Picking",
    "Sent to nord: order WO-7 of F-1",
  ]);
  const inRomanian = changeLines((await member.get("/history?type=invoice", { "accept-language": "ro" })).text);
  assert.deepEqual(inRomanian.slice(0, 3), [
    "test (cheie API) a înregistrat încasarea integrală pentru F-1",
    "Ana Pop a acceptat comanda lipsă WO-7 pentru F-1",
    "Comanda WO-7 pentru F-1 lipsește din depozit",
  ]);
  assert.equal(inRomanian.at(-2), "Trimisă la nord: comanda WO-7 pentru F-1");
});

test("what ends a need is a sentence, in both languages", async () => {
  const { tenant, member, id, path } = await firm();
  await member.post(`${path}/warehouse`, { wms_subdomain: "nord", wms_api_key: "key-of-the-north-0123" });
  const create = async (number: string, set: string) => {
    const invoice = (await tenant.post(`/api/v1/companies/${id}/invoices`, { number })).body.data.id as number;
    await server.sql(`update invoices set ${set}, changed_by = 'worker' where tenant_id = $1 and id = $2`, [
      tenant.id,
      invoice,
    ]);
    return `/invoices/${invoice}`;
  };
  const stuck = await create(
    "F-1",
    "wms_instance = 'nord', wms_order_id = 7, wms_order_number = 'WO-7', wms_status = 'new', wms_moved_at = now() - interval '9 days'",
  );
  const until = Temporal.Now.zonedDateTimeISO("Europe/Bucharest").toPlainDate().add({ days: 3 });
  await member.post(`${stuck}/put-off`, { days: "3" });
  await server.sql("update invoices set wms_status = 'picking', changed_by = 'worker' where tenant_id = $1", [
    tenant.id,
  ]);
  await server.sql("update invoices set wms_moved_at = now() - interval '9 days' where tenant_id = $1", [tenant.id]);
  await member.post(`${stuck}/put-off`, { days: "1" });
  await member.post(`${stuck}/put-off`);
  const refused = await create("F-2", "wms_state = 'failed', wms_error = 'no'");
  await member.post(`${refused}/settle`);
  const linked = await create("F-3", "wms_state = 'sent', wms_order_id = 9, wms_order_number = 'WO-9'");
  await member.post(`${linked}/not-an-order`, { order: "9" });
  const told = changeLines((await member.get("/history?type=invoice")).text).filter((line) => !/created/.test(line));
  for (const line of [
    "Ana Pop removed the link of F-3 with WO-9, which is not a warehouse order",
    "Ana Pop accepted that the warehouse refused F-2",
    "Ana Pop no longer puts F-1 off",
    "The order WO-7 of F-1 went from New to Picking",
  ]) {
    assert.ok(told.includes(line), told.join("\n"));
  }
  assert.ok(told.some((line) => line.startsWith("Ana Pop put F-1 off until ") && line.includes(String(until.day))));
  const romanian = changeLines((await member.get("/history?type=invoice", { "accept-language": "ro" })).text);
  for (const line of ["a acceptat că depozitul a refuzat F-2", "a anulat amânarea pentru F-1"]) {
    assert.ok(romanian.includes(`Ana Pop ${line}`), romanian.join("\n"));
  }
});

test("changes of one person within an hour are one line, and those of another person or hour are not", async () => {
  const { tenant, member, path } = await firm();
  await member.post(path, { city: "Cluj" });
  await member.post(path, { notes: "Pays on time.", assigned_to: String(member.userId) });
  await member.post(`${path}/contacts`, { first_name: "Ion", last_name: "Marin" });
  assert.deepEqual((await lines(member, path)).slice(0, 2), [
    "Ana Pop created the contact Ion Marin, changed owner and 2 more",
    "test (API key) created the company 4 fields",
  ]);
  const other = await signedIn(server, tenant, { name: "Dan Rus" });
  await other.post(path, { city: "Turda" });
  assert.equal((await lines(member, path))[0], "Dan Rus changed city from Cluj to Turda");
  // As if the first had been more than an hour before the others.
  await server.sql(
    `update changes set at = at - interval '61 minutes'
     where tenant_id = $1 and type = 'company' and (action = 'created' or changed_by = $2 and changed like '%"city"%')`,
    [tenant.id, `user:${member.userId}`],
  );
  assert.deepEqual((await lines(member, path)).slice(1, 3), [
    "Ana Pop created the contact Ion Marin, changed owner and notes",
    "Ana Pop changed city from Turda to Cluj",
  ]);
});

test("an act stands alone among the changes of its hour", async () => {
  const { member, path } = await firm();
  await member.post(path, { city: "Cluj" });
  await member.post(`${path}/warehouse`, { wms_subdomain: "nord", wms_api_key: "key-of-the-north-0123" });
  await member.post(path, { county: "Cluj" });
  const told = await lines(member, path);
  assert.ok(told.includes("Ana Pop connected the company to nord"), told.join("\n"));
  assert.ok(told.includes("Ana Pop set county to Cluj"));
});

test("the page of one change names the fields of a payment and the other company of a merge, as people read them", async () => {
  const { tenant, member, id } = await firm();
  const issued = { number: "F-1", total: "20.00", currency: "RON" };
  const invoice = (await tenant.post(`/api/v1/companies/${id}/invoices`, issued)).body.data.id;
  const payment = { amount: "12.50", paid_on: "2026-11-24", means: "cash", reference: "R-1" };
  assert.equal((await tenant.post(`/api/v1/invoices/${invoice}/payments`, payment)).status, 201);
  const other = (await tenant.post("/api/v1/companies", { name: "Acme Two" })).body.data.id as number;
  assert.equal((await tenant.post(`/api/v1/companies/${id}/merge`, { from: other })).status, 200);
  const differencesOf = async (condition: string, language: string) => {
    const [{ change } = {}] = await server.sql(
      `select id as change from changes where tenant_id = $1 and ${condition} order by id desc limit 1`,
      [tenant.id],
    );
    const { text } = await member.get(`/history/${String(change)}`, { "accept-language": language });
    const [, list = ""] = /<ul class="differences">([^]*?)<\/ul>/.exec(text) ?? [];
    return list.split("</li>").flatMap((item) => item.replaceAll(/<[^>]+>/g, "") || []);
  };
  const inEnglish = ["Invoice: F-1", "Amount: 12.50", "Date: 24 Nov 2026", "How: Cash", "Reference: R-1"];
  assert.deepEqual((await differencesOf("type = 'payment'", "en")).toSorted(), inEnglish.toSorted());
  const inRomanian = ["Factură: F-1", "Sumă: 12,50", "Data: 24 nov. 2026", "Cum: Numerar", "Document: R-1"];
  assert.deepEqual((await differencesOf("type = 'payment'", "ro")).toSorted(), inRomanian.toSorted());
  const merged = await differencesOf("type = 'company' and changed like '%merged%'", "en");
  assert.deepEqual(merged, ["Merged into it: Acme Two"]);
});
