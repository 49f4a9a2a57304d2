import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import * as specification from "./specification.ts";
import type { SpecifiedField } from "./specification.ts";
import { casesOf, label } from "./validation-cases.ts";

const server = await startServer({ LIAISON_RATE_LIMIT: "0" });
const tenant = await server.createTenant();
const parent = (await tenant.post("/api/v1/companies", { name: "Parent" })).body.data.id as number;

type Noun = {
  name: string;
  collection: string;
  resource: string;
  fields: SpecifiedField[];
  /** What a create needs, which passes each time. */
  minimal: () => object;
  /** Frees what the one of an id has taken. */
  remove: (id: number) => Promise<unknown>;
};

const deleting = (resource: string) => async (id: number) => await tenant.delete(`${resource}/${id}`);
let serial = 0;

const nouns: Noun[] = [
  {
    name: "company",
    collection: "/api/v1/companies",
    resource: "/api/v1/companies",
    fields: specification.company,
    minimal: () => ({ name: "Minimal" }),
    remove: deleting("/api/v1/companies"),
  },
  {
    name: "contact",
    collection: `/api/v1/companies/${parent}/contacts`,
    resource: "/api/v1/contacts",
    fields: specification.contact,
    minimal: () => ({ first_name: "Ana", last_name: "Pop" }),
    remove: deleting("/api/v1/contacts"),
  },
  {
    name: "address",
    collection: `/api/v1/companies/${parent}/addresses`,
    resource: "/api/v1/addresses",
    fields: specification.address,
    minimal: () => ({ address: "Strada Lungă 1" }),
    remove: deleting("/api/v1/addresses"),
  },
  {
    name: "invoice",
    collection: `/api/v1/companies/${parent}/invoices`,
    resource: "/api/v1/invoices",
    fields: specification.invoice,
    minimal: () => ({ number: `Minimal ${++serial}` }),
    remove: async (id) => await server.sql("delete from invoices where id = $1", [id]),
  },
];

for (const { name, collection, resource, fields, minimal, remove } of nouns) {
  const create = async (
    body: object = minimal(),
  ): Promise<{ id: number; path: string; data: Record<string, unknown> }> => {
    const { status, body: answer, text } = await tenant.post(collection, body);
    assert.equal(status, 201, text);
    return { id: answer.data.id, path: `${resource}/${answer.data.id}`, data: answer.data };
  };

  for (const field of fields) {
    test(`${name}.${field.name}: what passes is stored, what fails gets its messages, on POST and PUT`, async () => {
      const changed = await create();
      for (const expected of casesOf(field)) {
        const { what, sent } = expected;
        const body = { ...minimal(), [field.name]: sent };
        const posted = await tenant.post(collection, body);
        const put = await tenant.put(changed.path, { [field.name]: sent });
        if ("messages" in expected) {
          const refusal = { error: "Validation failed.", errors: { [field.name]: expected.messages } };
          assert.deepEqual([posted.status, posted.body], [422, refusal], `POST ${what}`);
          assert.deepEqual([put.status, put.body], [422, refusal], `PUT ${what}`);
          continue;
        }
        assert.deepEqual([posted.status, posted.body.data?.[field.name]], [201, expected.stored], `POST ${what}`);
        // A tax_id or a number would be taken.
        await remove(posted.body.data.id);
        const again = await tenant.put(changed.path, { [field.name]: sent });
        assert.deepEqual([again.status, again.body.data?.[field.name]], [200, expected.stored], `PUT ${what}`);
        const shown = await tenant.get(changed.path);
        assert.deepEqual(shown.body.data[field.name], expected.stored, `GET after ${what}`);
      }
    });

    test(`${name}.${field.name}: absent, null and blank`, async () => {
      const required = { [field.name]: [`The ${label(field)} field is required.`] };
      const onPut = nullMessageOnPut(field);
      const changed = await create();
      const blanks = [null, "", "   ", "\u0000", "\u200b\u2060\ufeff\u0085 \t\r\n"];
      for (const blank of blanks) {
        const posted = await tenant.post(collection, { ...minimal(), [field.name]: blank });
        const put = await tenant.put(changed.path, { [field.name]: blank });
        const what = JSON.stringify(blank);
        if (field.required) assert.deepEqual([posted.status, posted.body.errors], [422, required], `POST ${what}`);
        else assert.deepEqual(posted.body.data?.[field.name], field.default ?? null, `POST ${what}`);
        if (onPut === null) assert.deepEqual([put.status, put.body.data?.[field.name]], [200, null], `PUT ${what}`);
        else assert.deepEqual([put.status, put.body.errors], [422, { [field.name]: [onPut] }], `PUT ${what}`);
      }
      const without: Record<string, unknown> = { ...minimal() };
      delete without[field.name];
      const posted = await tenant.post(collection, without);
      if (field.required) assert.deepEqual([posted.status, posted.body.errors], [422, required]);
      else assert.deepEqual([posted.status, posted.body.data?.[field.name]], [201, field.default ?? null]);
    });
  }

  test(`${name}: all failing fields are reported, in the order of the contract's table`, async () => {
    const wrong: [string, unknown][] = fields.map((field) => [field.name, field.type === "boolean" ? "x" : [1]]);
    const posted = await tenant.post(collection, Object.fromEntries(wrong.toReversed()));
    assert.equal(posted.status, 422);
    assert.deepEqual(Object.keys(posted.body), ["error", "errors"]);
    assert.deepEqual(
      Object.keys(posted.body.errors),
      fields.map((field) => field.name),
    );
    const { path } = await create();
    const put = await tenant.put(path, Object.fromEntries(wrong));
    assert.deepEqual([put.status, put.text], [422, posted.text]);
  });

  test(`${name}: the JSON has exactly the specified members, unset ones as null`, async () => {
    const sent = minimal();
    const { path, data } = await create(sent);
    const readOnly = specification.readOnlyMembers[name as keyof typeof specification.readOnlyMembers];
    const members = [...fields.map((field) => field.name), ...readOnly].toSorted();
    assert.deepEqual(Object.keys(data).toSorted(), members);
    for (const field of fields) {
      const expected = field.name in sent ? sent[field.name as keyof typeof sent] : (field.default ?? null);
      assert.deepEqual(data[field.name], expected, field.name);
    }
    const shown = await tenant.get(path);
    const extra = name === "company" ? ["contacts_count", "addresses_count"] : ["company"];
    assert.deepEqual(Object.keys(shown.body.data).toSorted(), [...members, ...extra].toSorted());
    const put = await tenant.put(path, {});
    assert.deepEqual(put.body, { data });
  });

  test(`${name}: what no client may write is ignored, whatever is sent for it`, async () => {
    const { path, data } = await create();
    const sent = `{"id":1,"company_id":999999,"tenant_id":1,"metadata":{"a":1},"wms_subdomain":"x","wms_api_key":"k",
      "created_at":"2020-01-01T00:00:00Z","updated_at":5,"deleted_at":"2020-01-01T00:00:00Z","full_name":"X Y",
      "assigned_user":{"id":1},"contacts_count":9,"addresses_count":9,"last_contacted_at":"x","company":{"id":1},
      "wms":{"state":"sent"},"wms_order_id":5,"wms_state":"sent","__proto__":{"name":"P","number":"P","first_name":"P","address":"P","notes":"P"},"constructor":{"prototype":{"notes":"P"}},
      "toString":1,"hasOwnProperty":1,"unknown":"a\\u0000\\ud800","Name":"upper case","name ":"blank"}`;
    const put = await tenant.put(path, sent);
    assert.deepEqual([put.status, put.body], [200, { data }]);
    const body = minimal();
    const posted = await tenant.post(collection, sent.replace("{", `{${JSON.stringify(body).slice(1, -1)},`));
    assert.equal(posted.status, 201, posted.text);
    const ids = new Set(["id", "created_at", "updated_at"]);
    const rest = (from: object) => Object.entries(from).filter(([key]) => !ids.has(key));
    assert.deepEqual(rest(posted.body.data), rest({ ...data, ...body }));
    assert.ok(!posted.text.includes("wms_api_key"));
    const onlyPrototype = await tenant.post(collection, `{"__proto__":${JSON.stringify(minimal())}}`);
    assert.equal(onlyPrototype.status, 422);
  });

  test(`${name}: query parameters are never merged into the body`, async () => {
    const query = new URLSearchParams(minimal() as Record<string, string>).toString();
    assert.equal((await tenant.post(`${collection}?${query}`, {})).status, 422);
    const { path, data } = await create();
    const put = await tenant.put(`${path}?notes=x&status=nonsense&${query}x`, {});
    assert.deepEqual([put.status, put.body], [200, { data }]);
  });

  test(`${name}: of a repeated key the last one counts`, async () => {
    const sent = minimal();
    const [[key, value] = ["", ""]] = Object.entries(sent) as [string, string][];
    const rest = JSON.stringify({ ...sent, [key]: undefined }).slice(1, -1);
    const body = `{${rest === "" ? "" : `${rest},`}"${key}":5,"${key}":"${value}2"}`;
    assert.equal((await tenant.post(collection, body)).body.data?.[key], `${value}2`);
  });
}

const goodLine = { sku: null, description: "A", quantity: "1", unit_price: "2.50" };

for (const field of specification.line) {
  const invoices = `/api/v1/companies/${parent}/invoices`;
  const place = { ...field, name: `lines.1.${field.name}` };
  const linesWith = (value: object) => [goodLine, { ...goodLine, ...value }, goodLine];

  test(`line.${field.name}: what passes is stored, what fails gets its messages, on POST and PUT`, async () => {
    const { id } = (await tenant.post(invoices, { number: `Line ${++serial}` })).body.data;
    for (const expected of casesOf(place)) {
      const lines = linesWith({ [field.name]: expected.sent });
      const posted = await tenant.post(invoices, { number: `Line ${++serial}`, lines });
      const put = await tenant.put(`/api/v1/invoices/${id}`, { lines });
      if ("messages" in expected) {
        const refusal = { error: "Validation failed.", errors: { [place.name]: expected.messages } };
        assert.deepEqual([posted.status, posted.body], [422, refusal], `POST ${expected.what}`);
        assert.deepEqual([put.status, put.body], [422, refusal], `PUT ${expected.what}`);
        continue;
      }
      const stored = linesWith({ [field.name]: expected.stored });
      assert.deepEqual([posted.status, posted.body.data?.lines], [201, stored], `POST ${expected.what}`);
      assert.deepEqual([put.status, put.body.data?.lines], [200, stored], `PUT ${expected.what}`);
      assert.deepEqual((await tenant.get(`/api/v1/invoices/${id}`)).body.data.lines, stored, expected.what);
    }
  });

  test(`line.${field.name}: absent, null and blank, which is the same on POST and PUT`, async () => {
    const { id } = (await tenant.post(invoices, { number: `Line ${++serial}` })).body.data;
    for (const blank of [undefined, null, "", " \u200b"]) {
      const lines = linesWith({ [field.name]: blank });
      const posted = await tenant.post(invoices, { number: `Line ${++serial}`, lines });
      const put = await tenant.put(`/api/v1/invoices/${id}`, { lines });
      if (field.required) {
        const errors = { [place.name]: [`The ${label(place)} field is required.`] };
        assert.deepEqual([posted.body.errors, put.body.errors], [errors, errors]);
      } else {
        const values = [posted, put].map(({ body }) => body.data.lines[1][field.name]);
        const none = field.sparse ? undefined : null;
        assert.deepEqual(values, [none, none]);
      }
    }
  });
}

test("lines: every wrong line has its messages, behind those of the invoice's other fields", async () => {
  const lines = [
    {},
    5,
    goodLine,
    null,
    { ...goodLine, unit_price: "1e3", quantity: [], description: 1 },
    [goodLine],
    "x",
  ];
  const { status, body } = await tenant.post(`/api/v1/companies/${parent}/invoices`, { lines, status: "x" });
  assert.equal(status, 422);
  assert.deepEqual(Object.entries(body.errors), [
    ["number", ["The number field is required."]],
    ["status", ["The selected status is invalid."]],
    ["lines.0.description", ["The lines.0.description field is required."]],
    ["lines.0.quantity", ["The lines.0.quantity field is required."]],
    ["lines.0.unit_price", ["The lines.0.unit price field is required."]],
    ["lines.1", ["The lines.1 field must be an object."]],
    ["lines.3", ["The lines.3 field must be an object."]],
    ["lines.4.description", ["The lines.4.description field must be a string."]],
    ["lines.4.quantity", ["The lines.4.quantity field must be a number."]],
    ["lines.4.unit_price", ["The lines.4.unit price field must be a number."]],
    ["lines.5", ["The lines.5 field must be an object."]],
    ["lines.6", ["The lines.6 field must be an object."]],
  ]);
});

test("lines: an array of at most 500; null is none on POST, and none of an array on PUT", async () => {
  const invoices = `/api/v1/companies/${parent}/invoices`;
  const { id } = (await tenant.post(invoices, { number: `Lines ${++serial}`, lines: [goodLine] })).body.data;
  const mustBeArray = { lines: ["The lines field must be an array."] };
  for (const lines of [{}, { 0: goodLine }, "[]", 5, true]) {
    assert.deepEqual((await tenant.post(invoices, { number: "x", lines })).body.errors, mustBeArray);
    assert.deepEqual((await tenant.put(`/api/v1/invoices/${id}`, { lines })).body.errors, mustBeArray);
  }
  for (const lines of [undefined, null, "", []]) {
    const { status, body } = await tenant.post(invoices, { number: `Lines ${++serial}`, lines });
    assert.deepEqual([status, body.data?.lines], [201, []], JSON.stringify(lines));
  }
  for (const lines of [null, ""]) {
    assert.deepEqual((await tenant.put(`/api/v1/invoices/${id}`, { lines })).body.errors, mustBeArray);
  }
  const most = Array.from({ length: 500 }, (_, index) => ({ ...goodLine, sku: `S${index}` }));
  const full = await tenant.put(`/api/v1/invoices/${id}`, { lines: most });
  assert.deepEqual(
    [full.status, full.body.data.lines.map(({ sku }: { sku: string }) => sku)],
    [200, most.map(({ sku }) => sku)],
  );
  const tooMany = await tenant.put(`/api/v1/invoices/${id}`, { lines: [...most, {}] });
  assert.deepEqual(tooMany.body.errors, { lines: ["The lines field must not have more than 500 items."] });
  assert.deepEqual((await tenant.put(`/api/v1/invoices/${id}`, { lines: [] })).body.data.lines, []);
});

test("assigned_to is an active user of the same tenant; others are answered alike", async () => {
  const own = await tenant.createUser("Own");
  const inactive = await tenant.createUser("Inactive");
  await server.sql("update users set deactivated_at = now() where id = $1", [inactive]);
  const foreign = await (await server.createTenant()).createUser("Foreign");
  const refusal = { error: "Validation failed.", errors: { assigned_to: ["The selected assigned to is invalid."] } };
  for (const id of [inactive, foreign, 123_456_789]) {
    assert.deepEqual((await tenant.post("/api/v1/companies", { name: "A", assigned_to: id })).body, refusal);
    assert.deepEqual((await tenant.put(`/api/v1/companies/${parent}`, { assigned_to: id })).body, refusal);
  }
  for (const id of [own, String(own), `+${own}`]) {
    const { body } = await tenant.put(`/api/v1/companies/${parent}`, { assigned_to: id });
    assert.deepEqual(body.data?.assigned_user, { id: own, name: "Own" });
    assert.equal(body.data.assigned_to, own);
  }
  const cleared = await tenant.put(`/api/v1/companies/${parent}`, { assigned_to: null });
  assert.deepEqual([cleared.body.data.assigned_to, cleared.body.data.assigned_user], [null, null]);
  const both = await tenant.post("/api/v1/companies", { assigned_to: foreign });
  assert.deepEqual(Object.keys(both.body.errors), ["name", "assigned_to"]);
});

test("JSON numbers count by value, however they are written", async () => {
  const cases: [string, number | null][] = [
    ["5.0", 5],
    ["5e0", 5],
    ["1e3", 1000],
    ["-0", 0],
    ["-0.0", 0],
    ["9007199254740991", 9_007_199_254_740_991],
    ["9007199254740992", null],
    ["9007199254740993", null],
    ["1e400", null],
    ["-1e400", null],
    ["5.5", null],
  ];
  for (const [number, stored] of cases) {
    const { status, body } = await tenant.put(`/api/v1/companies/${parent}`, `{"status_code":${number}}`);
    if (stored === null) assert.deepEqual(body.errors, { status_code: ["The status code field must be an integer."] });
    else assert.deepEqual([status, body.data?.status_code], [200, stored], number);
    assert.ok(!Object.is(body.data?.status_code, -0), number);
  }
});

function nullMessageOnPut(field: SpecifiedField): string | null {
  if (field.required) return `The ${label(field)} field is required.`;
  if (field.default === undefined) return null;
  if (field.type === "enum") return `The selected ${label(field)} is invalid.`;
  return `The ${label(field)} field must be ${field.type === "boolean" ? "true or false" : "a string"}.`;
}
