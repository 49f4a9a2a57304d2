import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

const server = await startServer();

async function firm() {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Ana Pop" });
  const id = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data.id as number;
  const say = async (note: string, kind = "note") => {
    assert.equal((await member.post(`/companies/${id}/activities`, { kind, note })).status, 303);
  };
  return { tenant, member, id, say };
}

/** The notes that were found, as a person reads them, each with its address. */
async function found(member: Member, typed: string): Promise<{ text: string; href: string }[]> {
  const { text, status } = await member.get(`/find?q=${encodeURIComponent(typed)}`);
  assert.equal(status, 200);
  const list = /<ul aria-label="Notes and conversations">([^]*?)<\/ul>/.exec(text)?.[1] ?? "";
  return [...list.matchAll(/<a href="([^"]+)">([^]*?)<\/a>/g)].map(([, href = "", content = ""]) => ({
    href: href.replaceAll("&amp;", "&"),
    text: content.replaceAll(/<[^>]+>/g, ""),
  }));
}

const texts = async (member: Member, typed: string) =>
  (await found(member, typed)).map(({ text }) => text.replace(/ Acme · .*/, ""));

test("a note is found by the beginnings of its words, in any order, without case and accents", async () => {
  const { member, say } = await firm();
  await say("Vrea două palete de făină, livrate joi.");
  await say("Șeful e în concediu", "call");
  for (const typed of ["faina", "FĂINĂ", "palete", "palet joi", "joi  livrat", "doua făi"]) {
    const [hit = "", ...others] = await texts(member, typed);
    assert.match(hit, /^(?:Vrea|…) două palete de făină, livrate joi\.$/, typed);
    assert.deepEqual(others, []);
  }
  for (const typed of ["alete", "faina luni", "vr", "%", "fai*n", "' | 'luni"]) {
    assert.deepEqual(await texts(member, typed), [], typed);
  }
  const [call] = await found(member, "concediu");
  assert.match(call?.text ?? "", /^Șeful e în concediu Acme · Call out · \d+ \w+ \d{4}$/);
});

test("the newest note stands first, and what was mended or deleted is found as it is now", async () => {
  const { member, say } = await firm();
  await say("palletone first");
  await say("palletone second");
  assert.deepEqual(await texts(member, "palletone"), ["palletone second", "palletone first"]);
  const [, id = ""] = /href="\/activities\/(\d+)"/.exec((await member.get("/history?type=note")).text) ?? [];
  await member.post(`/activities/${id}`, { kind: "note", note: "carton instead" });
  assert.deepEqual(await texts(member, "palletone"), ["palletone first"]);
  assert.deepEqual(await texts(member, "carton"), ["carton instead"]);
  await member.post(`/activities/${id}/delete`);
  assert.deepEqual(await texts(member, "carton"), []);
});

test("no note of another tenant or of a deleted company is found, nor by the API's search", async () => {
  const [one, other] = [await firm(), await firm()];
  await one.say("zebra crossing");
  assert.deepEqual(await texts(other.member, "zebra"), []);
  assert.equal((await texts(one.member, "zebra")).length, 1);
  assert.deepEqual((await one.tenant.get("/api/v1/companies?search=zebra")).body.data, []);
  await one.tenant.delete(`/api/v1/companies/${one.id}`);
  assert.deepEqual(await texts(one.member, "zebra"), []);
});

test("a rare word of an old note is found by the index, and leads to the note however many came after it", async () => {
  const { tenant, member, id, say } = await firm();
  await say("The gate code is kept by Wilhelmine");
  await server.sql(
    `insert into activities (tenant_id, company_id, at, kind, note, changed_by)
     select $1, $2, now() + n * interval '1 second', 'note', 'Common talk ' || n, 'user:1' from generate_series(1, 2100) n`,
    [tenant.id, id],
  );
  const [hit] = await found(member, "wilhelm gate");
  assert.match(hit?.text ?? "", /kept by Wilhelmine/);
  assert.equal((await found(member, "common talk")).length, 6);
  const { text } = await member.get((hit?.href ?? "").replace(/#.*/, ""));
  const happened = /<section class="section" id="happened">[^]*?<\/section>/.exec(text)?.[0] ?? "";
  assert.match(happened, /<li><time[^]*?The gate code is kept by Wilhelmine/);
  assert.doesNotMatch(happened, /Common talk/);
});

test("a word of any length can be stored, and is found by how it begins", async () => {
  const { member, say } = await firm();
  await say(`Q${"x".repeat(3_998)}`);
  await say("—");
  await say("ж".repeat(3_999));
  assert.equal((await found(member, "qxxxx")).length, 1);
  assert.equal((await found(member, "жжжж")).length, 1);
});
