import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** Each figure of /money is a link to the list of the invoices that it sums, with the same sum. */
const server = await startServer();

test("each figure of /money has the sum of the list that it links to", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Dan Pop" });
  const [user] = await server.sql("select id from users where tenant_id = $1", [tenant.id]);
  const companies: number[] = [];
  for (const name of ["Alfa", "Beta"]) {
    const owner = name === "Alfa" ? { assigned_to: Number(user?.id) } : {};
    companies.push((await tenant.post("/api/v1/companies", { name, ...owner })).body.data.id);
  }
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const ids = new Map<string, number>();
  for (const [at, [late, total, currency, paid]] of (
    [
      [-20, "100", "RON", null],
      [2, "200", "RON", "50.5"],
      [30, "300", "RON", null],
      [45, "400", "RON", null],
      [75, "500", "RON", null],
      [200, "600", "RON", null],
      [200, "700", "EUR", null],
      [5, "80", "RON", "95"],
      [200, "-30", "RON", null],
    ] as const
  ).entries()) {
    for (const [index, company] of companies.entries()) {
      const dates = { issued_on: daysAgo(300), due_on: daysAgo(late) };
      const body = { number: `F-${at}-${index}`, total, currency, ...dates };
      const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, body)).body.data;
      ids.set(body.number, id);
      if (paid !== null) await tenant.post(`/api/v1/invoices/${id}/payments`, { amount: paid });
    }
  }
  // A cancelled invoice from which more was refunded than paid is owed, whatever its total.
  const cancelled = ids.get("F-3-0");
  await tenant.put(`/api/v1/invoices/${cancelled}`, { status: "cancelled" });
  await tenant.post(`/api/v1/invoices/${cancelled}/payments`, { amount: "-12.25" });
  for (const query of ["", "?currency=RON", `?assigned_to=${Number(user?.id)}`, "?assigned_to=0", "?overdue=1"]) {
    const { text } = await member.get(`/money${query}`);
    const links = [...text.matchAll(/<a href="(\/orders\?state=(?:owed|paid_too_much)[^"]*)">([^<]*)/g)];
    const columns = [...new Set(links.map(([, href = ""]) => /late=(\w+)/.exec(href)?.[1] ?? ""))];
    assert.ok(columns.includes("overdue") && columns.includes("days_31_60"), `${query}: ${columns.join(" ")}`);
    assert.equal(text.includes("state=paid_too_much"), query !== "?overdue=1", query);
    for (const [, href = "", shown = ""] of links) {
      const list = (await member.get(href.replaceAll("&amp;", "&"))).text;
      const sums = /<div class="sums">Sum: ([^<]*)</.exec(list)?.[1] ?? "";
      const figure = href.includes("paid_too_much") ? `-${shown}` : shown;
      assert.equal(sums.replace(/ [A-Z]+$/, ""), figure.replace(/ [A-Z]+$/, ""), `${href} of /money${query}`);
    }
  }
  const { text: list } = await member.get(`/orders?state=owed&late=days_31_60&currency=RON&company=${companies[0]}`);
  assert.match(list, /Owed to us[^]*Late: 31-60 days[^]*data-sum="12\.25 RON"/);
  assert.doesNotMatch((await member.get("/money?as_of=2026-01-01")).text, /state=owed/);
  const shown = async (path: string) => {
    const { text } = await member.get(path);
    const [, day = ""] = /type="date" name="(?:as_of|from)" value="([^"]*)"/.exec(text) ?? [];
    return { day, isTicked: /name="overdue" value="1" checked/.test(text), figures: text.match(/<dd>.*?<\/dd>/g) };
  };
  assert.deepEqual(await shown("/money?overdue=0"), { ...(await shown("/money")), isTicked: false });
  assert.equal((await shown("/money?overdue=1")).isTicked, true);
  for (const path of ["/money?as_of=", "/sales?from=", "/orders?from="]) {
    const typed = await shown(`${path}24.11.2026`);
    assert.deepEqual(typed, await shown(`${path}2026-11-24`), path);
    assert.equal(typed.day, "2026-11-24", path);
  }
  assert.match((await member.get("/orders?state=owed&late=never")).text, /class="empty"/);
});

test("a workspace that makes thousands of currencies up lists 200 of them, and every company", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const { id } = (await tenant.post("/api/v1/companies", { name: "Alfa" })).body.data;
  const letters = Array.from({ length: 15 }, (_none, at) => String.fromCharCode(65 + at));
  const codes = letters.flatMap((one) => letters.map((other) => `X${one}${other}`));
  const items = codes.map((currency) => ({ company_id: id, number: currency, currency, total: "1" }));
  assert.equal((await tenant.post("/api/v1/invoices/batch", { items })).body.created, codes.length);
  const { body } = await tenant.get("/api/v1/reports/receivables");
  assert.deepEqual([body.data.totals.length, body.data.total], [200, codes.length]);
  const { text } = await member.get("/money");
  assert.equal(text.match(/<dl class="figures">/g)?.length, 200);
});
