import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeyring, generateEncryptionKey } from "../../../src/platform/encryption/keyring.ts";
import { asTenantId } from "../../../src/platform/postgres/tenant-id.ts";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startImportServer } from "../../exchange/imports/import-server.ts";
import type { TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";

const server = await startImportServer();
runWorker(server);

type Person = { tenant: TestTenant; member: Member };

async function person(): Promise<Person> {
  const tenant = await server.createTenant();
  return { tenant, member: await signedIn(server, tenant) };
}

/** The pages of those whose phone was found. */
async function found({ member }: Person, typed: string): Promise<string[]> {
  const { text, status } = await member.get(`/find?q=${encodeURIComponent(typed)}`);
  assert.equal(status, 200);
  const list = /<ul aria-label="Phones">([^]*?)<\/ul>/.exec(text)?.[1] ?? "";
  return [...list.matchAll(/href="([^"]+)"/g)].map(([, address = ""]) => address);
}

async function company({ tenant }: Person, phone: string | null, name = "Hotel Central"): Promise<string> {
  const { body } = await tenant.post("/api/v1/companies", { name, phone });
  return `/companies/${body.data.id}`;
}

test("a phone is found by six digits at its end or more, in whatever way it and they are written", async () => {
  const one = await person();
  const [mobile, switchboard] = [await company(one, "+40 722 555 012"), await company(one, "0264/555.012 int")];
  const short = await company(one, "555012");
  for (const typed of ["0722555012", "+40722555012", "0040 722 555 012", "(0722) 555-012", "722.555.012"]) {
    assert.deepEqual(await found(one, typed), [mobile], typed);
  }
  assert.deepEqual(await found(one, "0264 555 012"), [switchboard]);
  assert.deepEqual(await found(one, "4555012"), [switchboard]);
  assert.deepEqual(await found(one, "555 012"), [mobile, switchboard, short]);
  for (const typed of ["55012", "555013", "0733555012", "0722 555 01", "a555012"]) {
    assert.deepEqual(await found(one, typed), [], typed);
  }
  const { text } = await one.member.get("/find?q=0722555012");
  assert.match(text, /Hotel Central<\/span> <small>[^<]*\+40 722 555 012</);
});

test("each number of a field is found, with its extension or the zero behind a country code", async () => {
  const one = await person();
  const [extended, trunk, both, three] = [
    await company(one, "0264 555 010 int. 12"),
    await company(one, "+40 (0)722 555 111"),
    await company(one, "0264 555 020; 0722 555 222"),
    await company(one, "0264555031/555333/0722555444"),
  ];
  const path = await company(one, null);
  const { body } = await one.tenant.post(`/api/v1${path}/contacts`, {
    first_name: "Ana",
    last_name: "Pop",
    phone: "0264 555 041, 0264 555 042",
    mobile: "0722 555 043 0722 555 044",
  });
  const address = (
    await one.tenant.post(`/api/v1${path}/addresses`, { address: "A", phone: "0264 555 051/0264555052" })
  ).body.data.id;
  const contact = `/contacts/${body.data.id}`;
  for (const [typed, expected] of [
    ["0264555010", [extended]],
    ["555010", [extended]],
    ["0722555111", [trunk]],
    ["0264 555 020", [both]],
    ["0722555222", [both]],
    ["555222", [both]],
    ["0264555031", [three]],
    ["555 333", [three]],
    ["+40 722 555 444", [three]],
    ["9555444", []],
    ["0264555041", [contact]],
    ["0264555042", [contact]],
    ["0722555044", [contact]],
    ["555052", [`/addresses/${address}`]],
  ] as const) {
    assert.deepEqual(await found(one, typed), expected, typed);
  }
  const other = await person();
  assert.deepEqual(await found(other, "0722555222"), []);
  await one.tenant.put(`/api/v1${both}`, { phone: "0264 555 020" });
  assert.deepEqual(await found(one, "0722555222"), []);
});

test("people and addresses have phones too, and nothing deleted or another tenant's is found", async () => {
  const [one, other] = [await person(), await person()];
  const path = await company(one, null);
  await company(other, "0722 000 111");
  const api = `/api/v1${path}`;
  const both = { first_name: "Ana", last_name: "Pop", phone: "0264 000 111", mobile: "0722 000 222" };
  const contact = (await one.tenant.post(`${api}/contacts`, both)).body.data.id;
  const address = (await one.tenant.post(`${api}/addresses`, { address: "Strada 1", phone: "0040 264 000 333" })).body
    .data.id;
  assert.deepEqual(await found(one, "000111"), [`/contacts/${contact}`]);
  assert.deepEqual(await found(one, "0722000222"), [`/contacts/${contact}`]);
  assert.deepEqual(await found(one, "000333"), [`/addresses/${address}`]);
  await one.member.post(`/contacts/${contact}`, { mobile: "0722 000 444" });
  assert.deepEqual([await found(one, "000222"), await found(one, "000444")], [[], [`/contacts/${contact}`]]);
  await one.tenant.put(`/api/v1/contacts/${contact}`, { mobile: null });
  assert.deepEqual(await found(one, "000444"), []);
  await one.tenant.delete(`/api/v1/contacts/${contact}`);
  assert.deepEqual(await found(one, "000111"), []);
  await one.tenant.delete(api);
  assert.deepEqual(await found(one, "000333"), []);
});

test("a phone is found among more than a search reads of each kind, at all four places", async () => {
  const one = await person();
  const path = await company(one, null);
  const company_id = Number(path.split("/").at(-1));
  const numbers = Array.from({ length: 55 }, (_, index) => `0264 ${700_100 + index}`);
  const made = async (noun: string, items: object[]): Promise<string[]> => {
    const { body } = await one.tenant.post(`/api/v1/${noun}/batch`, { items });
    return body.results.map(({ id }: { id: number }) => `/${noun}/${id}`);
  };
  const namesake = { company_id, first_name: "Ana", last_name: "Pop" };
  const places = [
    await made(
      "companies",
      numbers.map((phone) => ({ name: "Hotel", phone })),
    ),
    await made(
      "contacts",
      numbers.map((phone) => ({ ...namesake, phone })),
    ),
    await made(
      "contacts",
      numbers.map((mobile) => ({ ...namesake, mobile })),
    ),
    await made(
      "addresses",
      numbers.map((phone) => ({ company_id, address: "Strada 1", phone })),
    ),
  ];
  for (const [index, number] of numbers.entries()) {
    const expected = places.map((made) => made[index] ?? "").toSorted();
    assert.deepEqual((await found(one, number)).toSorted(), expected, number);
  }
});

test("an import's phones are found, and after its undo those that were there before", async () => {
  const one = await person();
  const known = await one.tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1", phone: "0264 111 111" });
  const path = `/companies/${known.body.data.id}`;
  const csv = "name,tax_id,phone\nA,RO1,0264 222 222\nB,RO2,0264 333 333\n";
  const run = String((await one.member.upload("/imports", { kind: "companies" }, { "f.csv": csv })).location);
  const settled = async () =>
    await poll("the end of the import's job", async () => !(await one.member.get(run)).text.includes("data-refresh"));
  await settled();
  await one.member.post(`${run}/start`);
  await settled();
  assert.deepEqual([await found(one, "222222"), await found(one, "111111")], [[path], []]);
  assert.equal((await found(one, "333333")).length, 1);
  await one.member.post(`${run}/undo`);
  await settled();
  assert.deepEqual(
    [await found(one, "111111"), await found(one, "222222"), await found(one, "333333")],
    [[path], [], []],
  );
});

test("what is stored reveals the digits to nobody without the key, and no two tenants' alike", async () => {
  const [one, other] = [await person(), await person()];
  for (const each of [one, one, other]) await company(each, "0722 555 012");
  const rows = await server.sql("select phone from companies where tenant_id = any($1) order by id", [
    [one.tenant.id, other.tenant.id],
  ]);
  const stored = rows.map(({ phone }) => String(phone));
  for (const value of stored) assert.doesNotMatch(value, /722|555|012$/);
  const digests = stored.map((value) => value.split("=")[1]);
  assert.equal(digests[0], digests[1]);
  assert.notEqual(digests[0], digests[2]);
  assert.equal(new Set(stored).size, 3);
});

test("a phone is found by the digest of each key at hand", () => {
  const [old, key] = [generateEncryptionKey([]), generateEncryptionKey([])];
  const tenant = asTenantId("7");
  const stored = createKeyring([old]).encryptPhone(tenant, "companies.phone", "0722 555 012");
  const both = createKeyring([{ ...key, id: "k2" }, old]);
  const digests = stored.split("=")[1] ?? "";
  assert.equal(both.phonePrefixes(tenant, "0722555012").filter((prefix) => prefix === digests).length, 1);
  assert.equal(both.phonePrefixes(tenant, "555012").filter((prefix) => digests.startsWith(prefix)).length, 1);
  assert.equal(both.decrypt(tenant, "companies.phone", stored), "0722 555 012");
});
