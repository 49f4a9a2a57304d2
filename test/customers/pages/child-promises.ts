import assert from "node:assert/strict";
import { test } from "node:test";
import type { FieldTable } from "../../../src/platform/fields/fields.ts";
import { assertHarmless, escaped, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { signedIn, type Form, type PageAnswer } from "../../doors/pages/visitor.ts";
import type { TestServer } from "../../harness.ts";

/** A kind of child as the tests of its pages need it. */
export type Tested = {
  table: "contacts" | "addresses";
  fields: FieldTable;
  /** A form that is right, with every field. */
  whole: Record<string, string>;
  /** The name that it has in headings. */
  title: string;
  /** A form that is wrong, and what the page says about it, by field. */
  wrong: { form: Record<string, string>; en: Record<string, string>; ro: Record<string, string> };
  /** A form for the n-th of many, and what finds the seventh alone. */
  nth: (n: number) => Form;
  search: string;
  /** Words in several fields that do so on pages. */
  words: string;
};

const OURS = { "sec-fetch-site": "same-origin" };
const RO = { "accept-language": "ro" };

/** The promises that the pages of contacts and of addresses have in common. */
export async function childPromises(server: TestServer, tested: Tested): Promise<void> {
  const { table, fields, whole, title, wrong, nth, search, words } = tested;
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);

  const newCompany = async () => (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data.id as number;
  const create = async (form: Form, company?: number) => {
    const answer = await member.post(`/companies/${company ?? (await newCompany())}/${table}`, form);
    assert.equal(answer.status, 303, answer.text);
    return String(answer.location);
  };
  const api = async (path: string) => (await tenant.get(`/api/v1${path}`)).body.data;
  const history = async (path: string) => (await tenant.get(`/api/v1${path}/history`)).body.data;

  test(`${table}: a form becomes one, as the API stores it, by the user who sent it`, async () => {
    const path = await create(whole);
    const stored = await api(path);
    for (const [name, value] of Object.entries(whole)) {
      assert.equal(typeof stored[name] === "boolean" ? String(Number(stored[name])) : stored[name], value, name);
    }
    const [{ action, by }] = await history(path);
    assert.deepEqual([action, by], ["created", { kind: "user", id: member.userId, name: "Ana Pop" }]);
    const page = await member.get(path);
    assert.match(page.text, new RegExp(`<h1>${title}</h1>`));
    assert.match(page.text, /<div class="notice good">Created\.</);
    assert.doesNotMatch((await member.get(path)).text, /class="notice/, "a notice is shown once");
  });

  test(`${table}: what is wrong is said at its field and on top, in the page's language, and nothing typed is lost`, async () => {
    const before = await create(nth(1));
    const company = (await api(before)).company_id;
    for (const to of [`/companies/${company}/${table}`, before]) {
      for (const [language, said] of [
        ["en", wrong.en],
        ["ro", wrong.ro],
      ] as const) {
        const answer = await member.post(to, wrong.form, { ...OURS, "accept-language": language });
        assert.equal(answer.status, 422);
        for (const [field, message] of Object.entries(said)) {
          assert.ok(answer.text.includes(`<p class="error" id="${field}-error">${escaped(message)}</p>`), message);
          assert.ok(answer.text.includes(`<a href="#${field}">${escaped(message)}</a>`), message);
        }
        for (const [field, typed] of Object.entries(wrong.form)) {
          if (fields.find(({ name }) => name === field)?.kind === "enum") continue;
          assert.match(
            answer.text,
            new RegExp(
              `name="${field}"[^>]*>\\n${typed}|value="${typed}"[^>]* name="${field}"|name="${field}"[^>]* value="${typed}"`,
            ),
            field,
          );
        }
      }
    }
    assert.equal((await history(before)).length, 1);
    assert.equal(
      (await member.get(`/companies/${company}/${table}`)).text.includes('<span class="count" id="total">1<'),
      true,
    );
  });

  test(`${table}: an edit changes what was posted, and nothing else`, async () => {
    const path = await create(whole);
    const before = await api(path);
    const [required = ""] = fields.filter((field) => field.required).map(({ name }) => name);
    const form = await member.get(`${path}/edit`);
    assert.ok(form.text.includes(`<input type="hidden" name="version" value="${before.updated_at}">`));
    const answer = await member.post(path, { [required]: "Altceva" });
    assert.deepEqual([answer.status, answer.location], [303, path]);
    const after = await api(path);
    assert.equal(after[required], "Altceva");
    assert.deepEqual(
      { ...after, [required]: 0, updated_at: 0, full_name: 0 },
      { ...before, [required]: 0, updated_at: 0, full_name: 0 },
    );
    assert.match((await member.get(path)).text, /<div class="notice good">Saved\.</);
  });

  test(`${table}: where two edit the same one, nothing is lost`, async () => {
    const path = await create(whole);
    const version = String((await api(path)).updated_at);
    const [mine, theirs] = fields
      .filter(({ kind, max }) => kind === "string" && (max ?? 0) >= 100)
      .map(({ name }) => name);
    assert.ok(mine !== undefined && theirs !== undefined);
    const other = await signedIn(server, tenant, { name: "Dan Ionescu" });
    assert.equal((await other.post(path, { [theirs]: "Dan's", version })).status, 303);
    assert.equal((await member.post(path, { [mine]: "Ana's", version })).status, 303);
    assert.deepEqual([(await api(path))[mine], (await api(path))[theirs]], ["Ana's", "Dan's"]);
    const refused = await member.post(path, { [theirs]: "Ana's", version });
    assert.equal(refused.status, 409);
    assert.match(refused.text, /Dan Ionescu changed this from .* to Dan&#39;s\./);
    assert.equal((await api(path))[theirs], "Dan's");
    const seen = /name="version" value="([^"]+)"/.exec(refused.text)?.[1] ?? "";
    assert.equal((await member.post(path, { [theirs]: "Ana's", version: seen })).status, 303);
    assert.equal((await api(path))[theirs], "Ana's");
  });

  test(`${table}: a company's are listed by pages, and found by what is searched`, async () => {
    const company = await newCompany();
    for (let n = 0; n < 12; n++) await create(nth(n), company);
    await create(nth(7));
    const list = `/companies/${company}/${table}`;
    const first = await member.get(`${list}?per_page=10`);
    assert.match(first.text, /id="total">12</);
    assert.equal(rows(first), 10);
    assert.match(first.text, /<a rel="next" href="\?per_page=10&amp;page=2">/);
    assert.equal(rows(await member.get(`${list}?per_page=10&page=2`)), 2);
    for (const typed of [search, words]) {
      const found = await member.get(`${list}?search=${encodeURIComponent(typed)}`);
      assert.equal(rows(found), 1, typed);
      assert.match(found.text, /<mark>/);
    }
    const ofApi = await tenant.get(`/api/v1${list}?search=${encodeURIComponent(words)}`);
    assert.equal(ofApi.body.total, 0, "the API finds a text within one field");
    assert.equal(rows(await member.get(`${list}?search=${encodeURIComponent(`${words} \u0301`)}`)), 0);
    const none = await member.get(`${list}?search=nowhere`, RO);
    assert.match(none.text, /„nowhere”/);
    assert.equal(rows(await member.get(`${list}?search=${"x".repeat(256)}`)), 0);
  });

  test(`${table}: deleted it is gone, and its undo brings it back as it was`, async () => {
    const path = await create(whole);
    const before = await api(path);
    const answer = await member.post(`${path}/delete`);
    assert.deepEqual([answer.status, answer.location], [303, `/companies/${before.company_id}`]);
    assert.equal((await member.get(path)).status, 404);
    assert.equal((await tenant.get(`/api/v1${path}`)).status, 404);
    assert.equal((await member.post(`${path}/delete`)).status, 404);
    const again = await member.post(`${path}/restore`);
    assert.deepEqual([again.status, again.location], [303, path]);
    const after = await api(path);
    assert.deepEqual({ ...after, updated_at: null }, { ...before, updated_at: null });
    assert.ok(after.updated_at > before.updated_at);
    assert.deepEqual(
      (await history(path))
        .map(({ action, changed, by }: Record<string, unknown>) => [action, changed, by])
        .slice(0, 2),
      ["restored", "deleted"].map((action) => [action, {}, { kind: "user", id: member.userId, name: "Ana Pop" }]),
    );
  });

  test(`${table}: the page after a deletion offers to undo it`, async () => {
    const path = await create(whole);
    await member.post(`${path}/delete`);
    const page = await member.get("/companies");
    assert.match(
      page.text,
      new RegExp(`<form method="post" action="${path}/restore"><button class="link">Undo</button>`),
    );
    assert.ok(page.text.includes(title));
  });

  test(`${table}: restoring one that is not deleted changes nothing`, async () => {
    const path = await create(whole);
    const before = await api(path);
    assert.equal((await member.post(`${path}/restore`)).status, 303);
    assert.deepEqual(await api(path), before);
    assert.equal((await history(path)).length, 1);
  });

  test(`${table}: while the company is deleted there is nothing to see, to change or to restore`, async () => {
    const [live, deleted] = [await create(nth(1)), await create(nth(2))];
    await member.post(`${deleted}/delete`);
    for (const path of [live, deleted]) {
      const [row] = await server.sql(`select company_id from ${table} where tenant_id = $1 and id = $2`, [
        tenant.id,
        path.split("/").at(-1),
      ]);
      assert.equal((await tenant.delete(`/api/v1/companies/${String(row?.company_id)}`)).status, 200);
    }
    const before = await rowsOf([live, deleted]);
    for (const path of [live, deleted]) {
      assert.equal((await member.get(path)).status, 404);
      assert.equal((await member.get(`${path}/edit`)).status, 404);
      for (const rest of ["", "/delete", "/restore"])
        assert.equal((await member.post(path + rest, nth(3))).status, 404);
    }
    assert.deepEqual(await rowsOf([live, deleted]), before);
  });

  const rowsOf = async (paths: string[]) =>
    await server.sql(`select * from ${table} where tenant_id = $1 and id = any($2) order by id`, [
      tenant.id,
      paths.map((path) => path.split("/").at(-1)),
    ]);

  test(`${table}: no text in any field runs a script, on any page that shows it`, async () => {
    const company = await newCompany();
    for (const hostile of hostileTexts) {
      const texts = fields.filter(({ kind }) => kind === "string");
      const cut = (max = 255) => Array.from(hostile).slice(0, max).join("");
      const form = { ...whole, ...Object.fromEntries(texts.map(({ name, max }) => [name, cut(max)])) };
      const path = await create(form, company);
      const list = `/companies/${company}/${table}`;
      const search = `?search=${encodeURIComponent(hostile)}`;
      for (const page of [path, `${path}/edit`, list, list + search]) {
        const answer = await member.get(page);
        assert.equal(answer.status, 200, hostile);
        assertHarmless(answer.text, `${page} ${hostile}`);
        if (page !== `${path}/edit`) continue;
        for (const { name, max } of texts) assert.ok(answer.text.includes(escaped(cut(max))), `${name}: ${hostile}`);
      }
      const refused = await member.post(path, { ...form, [texts[0]?.name ?? ""]: hostile.padEnd(300, "x") });
      assert.equal(refused.status, 422);
      assertHarmless(refused.text, hostile);
      await member.post(`${path}/delete`);
      assertHarmless((await member.get(list)).text, hostile);
    }
  });

  test(`${table}: a notice that somebody forged says nothing of his own`, async () => {
    for (const hostile of hostileTexts) {
      const forged = { name: `${table}-deleted`, values: { id: `9/../../keys?${hostile}`, name: hostile } };
      member.cookies.set("liaison-notice", Buffer.from(JSON.stringify(forged)).toString("base64url"));
      const page = await member.get("/companies");
      assertHarmless(page.text, hostile);
      assert.doesNotMatch(page.text, /keys\?/);
    }
  });
}

function rows({ text }: PageAnswer): number {
  return text.match(/<td class="name">/g)?.length ?? 0;
}
