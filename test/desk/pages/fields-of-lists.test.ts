import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** The workspace's own fields in lists: columns, filters, views, and the change of several companies. */
const server = await startServer();
const EN = { "accept-language": "en" };

test("the list of companies shows fields as columns, is narrowed by them, also as a view, and a change sets one", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role: "admin" });
  const options = [{ value: "gold", label: "Gold <1>" }, { value: "silver" }];
  for (const field of [
    { label: "Price list", kind: "choice", options },
    { label: "Credit", kind: "number" },
    { label: "VIP", kind: "yes_no" },
  ]) {
    const made = await tenant.post("/api/v1/custom-fields", { noun: "company", ...field });
    assert.equal(made.status, 201, made.text);
  }
  const ids: number[] = [];
  for (const custom of [{ price_list: "gold", credit: "2500" }, { price_list: "silver", vip: true }, {}]) {
    ids.push((await tenant.post("/api/v1/companies", { name: `Firm ${ids.length}`, custom })).body.data.id);
  }
  const shown = async (query: string) => {
    const { status, text } = await member.get(`/companies${query}`, EN);
    assert.equal(status, 200, text);
    return { text, names: [...text.matchAll(/href="\/companies\/\d+"[^>]*>(Firm \d)/g)].map(([, name]) => name) };
  };

  const plain = await shown("");
  assert.match(plain.text, /<select name="custom\[price_list\]">.*?Gold &lt;1&gt;/s);
  assert.match(plain.text, /name="column" value="custom\.price_list"> Price list/);
  await member.post("/companies/columns", { column: ["custom.price_list", "custom.credit"] });
  assert.match((await shown("")).text, /<td[^>]*>[^<]*Gold &lt;1&gt;/);

  assert.deepEqual((await shown("?custom%5Bprice_list%5D=gold")).names, ["Firm 0"]);
  assert.deepEqual((await shown("?custom%5Bprice_list%5D=silver&custom%5Bvip%5D=true&sort=-name")).names, ["Firm 1"]);
  assert.deepEqual((await shown("?custom%5Bcredit%5D=many")).names, []);
  const narrowed = await shown("?custom%5Bprice_list%5D=gold");
  assert.match(narrowed.text, /Price list: Gold &lt;1&gt;/);
  assert.match(narrowed.text, /name="filters" value="custom%5Bprice_list%5D=gold"/);
  const saved = await member.post("/companies/views", {
    filters: "custom%5Bprice_list%5D=gold",
    name: "Golden",
    for: "me",
  });
  assert.equal(saved.location, "/companies?custom%5Bprice_list%5D=gold");
  const file = (await member.get("/companies/export?custom%5Bprice_list%5D=gold", EN)).text;
  assert.deepEqual([file.includes("Firm 0"), file.includes("Firm 1")], [true, false]);

  const change = async (own_field: string, own_value: string) =>
    await member.post(
      "/companies/bulk",
      { id: String(ids[2]), own_field, own_value },
      { ...EN, "sec-fetch-site": "same-origin" },
    );
  const stored = async () => (await tenant.get(`/api/v1/companies/${ids[2]}`)).body.data.metadata;
  assert.equal((await change("custom.price_list", "gold <1>")).status, 303);
  assert.equal((await change("custom.vip", "Yes")).status, 303);
  assert.equal((await change("custom.credit", "1,250.50")).status, 303);
  assert.deepEqual(await stored(), { price_list: "gold", credit: "1250.5", vip: true });
  assert.equal((await change("custom.price_list", "bronze")).status, 422);
  assert.equal((await change("custom.nothing", "x")).status, 422);
  assert.equal((await change("custom.vip", "")).status, 303);
  assert.deepEqual(await stored(), { price_list: "gold", credit: "1250.5" });
  const undo = /action="(\/imports\/\d+\/undo)"/.exec((await shown("")).text)?.[1];
  assert.equal((await member.post(String(undo))).status, 303);
});
