import assert from "node:assert/strict";
import { after, test } from "node:test";
import { readConfig } from "../../../src/kit/config.ts";
import { openWarehouse } from "../../../src/kit/warehouse/open-warehouse.ts";
import { isBreakdown, type WarehouseFailure, type OrderIn } from "../../../src/kit/warehouse/warehouse-client.ts";
import { startStubWarehouse, type Heard, type StubAnswer } from "../../orders/wms/stub-warehouse.ts";

const PAIR = { externalSource: "liaison/acme", externalOrderId: "42" };
const ORDER = {
  order_id: 7,
  order_number: "WO-7",
  status: "new",
  external_source: "liaison/acme",
  external_order_id: "42",
};
const order: OrderIn = {
  ...PAIR,
  invoiceReference: "INV 2026/42 & ș",
  clientCui: "RO123",
  clientName: "Dacia Tools SRL",
  issuedOn: "2026-11-20",
  currency: "RON",
  total: "12.50",
  delivery: {
    name: "Ana",
    address: "Str. Lungă 1",
    city: "Brașov",
    county: null,
    country: "Romania",
    postalCode: "500001",
    phone: "+40 721",
    notes: null,
  },
  lines: [{ position: 1, sku: null, description: "Bolts", quantity: "2.5", unitPrice: "5.00" }],
};

const wms = await startStubWarehouse();
const { heard, answerWith, port } = wms;

const config = readConfig({ LIAISON_WMS_URL: wms.template, LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.1" });
const opened = await openWarehouse(config.wms, async () => false);
assert.ok(opened !== null);
const warehouse = opened.client;
const access = { subdomain: "Nord", key: "wms-key-3f9a" };

after(async () => {
  await opened.close();
  wms.close();
});

test("an order is posted as the contract says", async () => {
  assert.equal((await create({ status: 201, body: { data: ORDER } })).outcome, "created");
  const { method, url, headers, body } = heard.at(-1) as Heard;
  assert.equal(`${method} ${headers.host}${url}`, `POST nord.localhost:${port}/api/v1/orders`);
  assert.equal(headers.authorization, "Bearer wms-key-3f9a");
  assert.equal(headers["idempotency-key"], "liaison/acme/42");
  assert.equal(headers["content-type"], "application/json");
  assert.deepEqual(JSON.parse(body), {
    external_order_id: "42",
    external_source: "liaison/acme",
    invoice_reference: "INV 2026/42 & ș",
    client_cui: "RO123",
    client_name: "Dacia Tools SRL",
    issued_on: "2026-11-20",
    currency: "RON",
    total: "12.50",
    delivery: {
      name: "Ana",
      address: "Str. Lungă 1",
      city: "Brașov",
      county: null,
      country: "Romania",
      postal_code: "500001",
      phone: "+40 721",
      notes: null,
    },
    lines: [{ position: 1, sku: null, description: "Bolts", quantity: "2.5", unit_price: "5.00" }],
  });
});

test("an order has all members that its WMS sends, its id an integer from 1", async () => {
  const full = {
    ...ORDER,
    order_id: 2 ** 53 - 1,
    invoice_reference: "INV-42",
    client_cui: "RO123",
    total: "12.50",
    created_at: "2026-11-20T09:15:00Z",
    updated_at: "2026-11-20T11:15:00.25+02:00",
    more: { of: "something" },
  };
  assert.deepEqual(await create({ status: 201, body: { data: full } }), {
    outcome: "created",
    order: {
      orderId: 2 ** 53 - 1,
      orderNumber: "WO-7",
      status: "new",
      externalOrderId: "42",
      externalSource: "liaison/acme",
      invoiceReference: "INV-42",
      clientCui: "RO123",
      total: "12.50",
      createdAt: "2026-11-20T09:15:00Z",
      updatedAt: "2026-11-20T11:15:00.25+02:00",
    },
  });
  const bare = await create({ status: 200, body: { data: { order_id: 7, order_number: "WO-7", status: "new" } } });
  assert.equal(bare.outcome, "adopted", "the pair may be left out");
});

const invalid = { outcome: "unknown", reason: "invalid-order" } as const;
const json = { outcome: "unknown", reason: "json" } as const;
const status = { outcome: "unknown", reason: "status" } as const;
const pair = { outcome: "unknown", reason: "pair" } as const;
const credentials = { outcome: "credentials" } as const;

/** The meaning of an answer to a POST. */
const creations: [name: string, answer: StubAnswer, outcome: WarehouseFailure | "created" | "adopted"][] = [
  ["201", { status: 201, body: { data: ORDER } }, "created"],
  ["200, which it had before", { status: 200, body: { data: ORDER } }, "adopted"],
  ["409 with the order", { status: 409, body: { error: "Exists.", data: ORDER } }, "adopted"],
  ["409 without it", { status: 409, body: { error: "Exists." } }, status],
  ["409 with something else", { status: 409, body: { data: { id: 7 } } }, invalid],
  ["another source", { status: 201, body: { data: { ...ORDER, external_source: "shop" } } }, pair],
  ["another order's id", { status: 200, body: { data: { ...ORDER, external_order_id: "43" } } }, pair],
  ["409 with another pair", { status: 409, body: { data: { ...ORDER, external_order_id: "43" } } }, pair],
  ...[0, -1, 1.5, "7", null, true, 2 ** 53, [7]].map((order_id): [string, StubAnswer, WarehouseFailure] => [
    `the id ${JSON.stringify(order_id)}`,
    { status: 201, body: { data: { ...ORDER, order_id } } },
    invalid,
  ]),
  ["no id", { status: 201, body: { data: { order_number: "WO-7", status: "new" } } }, invalid],
  ["a list", { status: 201, body: { data: [ORDER] } }, invalid],
  ["no data", { status: 201, body: ORDER }, invalid],
  ["an object for a status", { status: 201, body: { data: { ...ORDER, status: {} } } }, invalid],
  ["too long a status", { status: 201, body: { data: { ...ORDER, status: "x".repeat(256) } } }, invalid],
  ["a NUL", { status: 201, body: { data: { ...ORDER, order_number: "a\0" } } }, invalid],
  ["half a surrogate pair", { status: 201, body: `{"data":{"order_id":7,"status":"\\ud800"}}` }, invalid],
  ["a time that is none", { status: 201, body: { data: { ...ORDER, updated_at: "2026-02-30T00:00:00Z" } } }, invalid],
  ["broken JSON", { status: 201, body: `{"data":{"order_id":7` }, invalid],
  ["no JSON", { status: 201, body: "<html>Created</html>" }, invalid],
  [
    "what is no UTF-8",
    { status: 201, body: Buffer.from(JSON.stringify({ data: { ...ORDER, status: "\u00ff" } }), "latin1") },
    invalid,
  ],
  ["nothing", { status: 201, body: "" }, invalid],
  ["204", { status: 204, body: "" }, status],
  ["202", { status: 202, body: { data: ORDER } }, status],
  ...[301, 302, 307, 308].map((status): [string, StubAnswer, WarehouseFailure] => [
    `${status}`,
    { status, headers: { location: `http://nord.localhost:${port}/api/v1/orders` }, body: { data: ORDER } },
    { outcome: "unknown", reason: "redirect" },
  ]),
  ["304", { status: 304, body: "" }, { outcome: "unknown", reason: "redirect" }],
  ["401", { status: 401, body: {} }, credentials],
  ["403", { status: 403, body: {} }, credentials],
  [
    "403 that throttles",
    { status: 403, headers: { "retry-after": "7" } },
    { outcome: "throttled", retryAfterMs: 7_000 },
  ],
  ["429", { status: 429, body: {} }, { outcome: "throttled", retryAfterMs: null }],
  [
    "429 with a time",
    { status: 429, headers: { "retry-after": "7200" } },
    { outcome: "throttled", retryAfterMs: 3_600_000 },
  ],
  [
    "429 with a date that is past",
    { status: 429, headers: { "retry-after": "Fri, 20 Nov 2020 09:15:30 GMT" } },
    { outcome: "throttled", retryAfterMs: 0 },
  ],
  ["404", { status: 404, body: {} }, { outcome: "missing" }],
  ["422", { status: 422, body: { error: "No such client." } }, { outcome: "refused", message: "No such client." }],
  ...[400, 402, 405, 408, 410, 418, 500, 502, 503, 504, 599].map((code): [string, StubAnswer, WarehouseFailure] => [
    `${code}`,
    { status: code, body: { error: "?" } },
    { ...status, ...(code >= 500 && { status: code }) },
  ]),
];

for (const [name, answer, expected] of creations) {
  test(`a POST that is answered by ${name}: ${JSON.stringify(expected)}`, async () => {
    const result = await create(answer);
    if (typeof expected !== "string") assert.deepEqual(result, expected);
    else assert.equal(result.outcome, expected);
  });
}

test("a 422's message is one clean line of at most 500 code points, without the key", async () => {
  const body = {
    error: `Refused.\r\n\u0000\u202e Key ${access.key}!`,
    errors: { client_cui: ["Unknown client.", 5], total: "Too much.", lines: [["deep"]] },
  };
  assert.deepEqual(await create({ status: 422, body }), {
    outcome: "refused",
    message: "Refused. Key [key]! Unknown client. Too much.",
  });
  const long = await create({ status: 422, body: { error: "𝄞".repeat(600) } });
  assert.deepEqual(long, { outcome: "refused", message: "𝄞".repeat(500) });
  for (const body of ["", "<html>", { error: { no: "text" } }, { errors: null }, []]) {
    assert.deepEqual(await create({ status: 422, body }), {
      outcome: "refused",
      message: "The warehouse gave no reason.",
    });
  }
});

test("of a look-up only 200 with an empty list means absent", async () => {
  const look = (answer: StubAnswer) => {
    answerWith(answer);
    return warehouse.findByPair(access, PAIR);
  };
  assert.deepEqual(await look({ status: 200, body: { data: [] } }), { outcome: "found", orders: [] });
  const { method, url } = heard.at(-1) as Heard;
  assert.equal(`${method} ${url}`, "GET /api/v1/orders?external_source=liaison%2Facme&external_order_id=42");
  const found = await look({ status: 200, body: { data: [ORDER, { ...ORDER, order_id: 8 }] } });
  assert.deepEqual(found.outcome === "found" && found.orders.map(({ orderId }) => orderId), [7, 8]);
  for (const [answer, expected] of [
    [{ status: 404, body: { data: [] } }, { outcome: "missing" }],
    [{ status: 204, body: "" }, status],
    [{ status: 206, body: { data: [] } }, status],
    [{ status: 200, body: "" }, json],
    [{ status: 200, body: "[]" }, json],
    [{ status: 200, body: { data: null } }, json],
    [{ status: 200, body: { data: {} } }, json],
    [{ status: 200, body: { data: [{}] } }, invalid],
    [{ status: 200, body: { data: [ORDER, null] } }, invalid],
    [{ status: 200, body: { data: [{ ...ORDER, external_order_id: "1" }] } }, pair],
    [
      { status: 500, body: { data: [] } },
      { ...status, status: 500 },
    ],
    [{ status: 401, body: { data: [] } }, credentials],
  ] as [StubAnswer, WarehouseFailure][]) {
    assert.deepEqual(await look(answer), expected, JSON.stringify(answer));
  }
});

test("orders are found by number and fiscal id, whatever these are made of", async () => {
  answerWith({ status: 200, body: { data: [ORDER] } });
  const sought = { invoiceReference: "INV 1/2&client_cui=RO9+ș", clientCui: "RO 1#2" };
  assert.equal((await warehouse.findByNumberAndFiscalId(access, sought)).outcome, "found");
  const { searchParams } = new URL(heard.at(-1)?.url ?? "", "http://x");
  assert.deepEqual(
    [...searchParams],
    [
      ["invoice_reference", sought.invoiceReference],
      ["client_cui", sought.clientCui],
    ],
  );
  assert.doesNotMatch(heard.at(-1)?.url ?? "", /\+/);
});

test("an order is found by its id, or is missing", async () => {
  answerWith(({ url }) => (url.endsWith("/7") ? { status: 200, body: { data: ORDER } } : { status: 404, body: {} }));
  const found = await warehouse.order(access, 7);
  assert.equal(found.outcome === "found" && found.order.orderNumber, "WO-7");
  assert.deepEqual(await warehouse.order(access, 8), { outcome: "missing" });
  answerWith({ status: 200, body: { data: ORDER } });
  assert.deepEqual(await warehouse.order(access, 8), { outcome: "unknown", reason: "order" });
});

test("orders are asked for in bulk, and told as there, missing or not asked for", async () => {
  answerWith({ status: 200, body: { data: [{ ...ORDER, order_id: 3 }, ORDER] } });
  const { orders, ...rest } = await warehouse.ordersByIds(access, [7, 5, 3]);
  assert.equal(heard.at(-1)?.url, "/api/v1/orders?order_ids=7,5,3");
  assert.deepEqual(
    orders.map(({ orderId }) => orderId),
    [7, 3],
  );
  assert.deepEqual(rest, { missing: [5], unasked: [], failure: null });
  answerWith({ status: 503 });
  assert.deepEqual(await warehouse.ordersByIds(access, [7, 5]), {
    orders: [],
    missing: [],
    unasked: [7, 5],
    failure: { ...status, status: 503 },
  });
  answerWith({ status: 200, body: { data: [{ ...ORDER, order_id: 1 }] } });
  const { missing, failure } = await warehouse.ordersByIds(access, [7]);
  assert.deepEqual({ missing, failure }, { missing: [], failure: { outcome: "unknown", reason: "order" } });
});

for (const without of [400, 404, 405]) {
  test(`a WMS that answers the bulk call by ${without} is asked one by one, until it fails`, async () => {
    answerWith(({ url }) => {
      const id = Number(url.split("/").at(-1));
      if (url.includes("?")) return { status: without, body: {} };
      if (id === 9) return { status: 429, headers: { "retry-after": "3" } };
      return id === 5 ? { status: 404, body: {} } : { status: 200, body: { data: { ...ORDER, order_id: id } } };
    });
    const { orders, ...rest } = await warehouse.ordersByIds(access, [7, 5, 3, 9, 11]);
    assert.deepEqual(
      orders.map(({ orderId }) => orderId),
      [7, 3],
    );
    assert.deepEqual(rest, { missing: [5], unasked: [9, 11], failure: { outcome: "throttled", retryAfterMs: 3_000 } });
  });
}

test("a ping says whether a WMS of the contract answers and accepts the key", async () => {
  for (const [answer, outcome] of [
    [{ status: 200, body: { data: {} } }, "reached"],
    [{ status: 200, body: "<html>Welcome</html>" }, "unknown"],
    [{ status: 204, body: "" }, "unknown"],
    [{ status: 401, body: {} }, "credentials"],
    [{ status: 404, body: {} }, "missing"],
  ] as [StubAnswer, string][]) {
    answerWith(answer);
    assert.equal((await warehouse.ping(access)).outcome, outcome, JSON.stringify(answer));
  }
  assert.equal(`${heard.at(-1)?.method} ${heard.at(-1)?.url}`, "GET /api/v1/ping");
});

test("an answer has at most 1 MiB, with whatever it is padded", async () => {
  const body = JSON.stringify({ data: [] });
  for (const [bytes, outcome] of [
    [1_048_576, "found"],
    [1_048_577, "unknown"],
  ] as const) {
    answerWith({ status: 200, body: body.padEnd(bytes) });
    assert.equal((await warehouse.findByPair(access, PAIR)).outcome, outcome, `${bytes} bytes`);
  }
});

test("a subdomain that is none and a key that no header carries reach nobody", async () => {
  const before = heard.length;
  for (const subdomain of [
    "",
    "a.b",
    "-a",
    "a-",
    "a b",
    "a/b",
    "a@b",
    "ș",
    "x".repeat(64),
    "127.0.0.1",
    "a:80",
    "a\0",
  ]) {
    assert.deepEqual(
      await warehouse.ping({ ...access, subdomain }),
      { outcome: "unsent", reason: "subdomain" },
      subdomain,
    );
    assert.equal(warehouse.instanceOf(subdomain), null);
  }
  for (const key of ["", "a b", "a\r\nx-more: 1", "ș", "k".repeat(5_000)]) {
    assert.deepEqual(await warehouse.ping({ ...access, key }), credentials);
  }
  assert.equal(heard.length, before);
  assert.equal(warehouse.instanceOf("Nord"), "nord.localhost");
});

test("without an address there is no way to any WMS", async () => {
  assert.equal(await openWarehouse(readConfig({}).wms, async () => false), null);
});

test("only what was not sent, and what is not known, speaks against a WMS", () => {
  const answers = ["refused", "credentials", "throttled", "missing", "created", "adopted", "found", "reached"];
  assert.deepEqual(
    answers.filter((outcome) => isBreakdown({ outcome })),
    [],
  );
  assert.ok(isBreakdown(status) && isBreakdown({ outcome: "unsent" }));
});

async function create(answer: StubAnswer) {
  answerWith(answer);
  const result = await warehouse.createOrder(access, order);
  assert.equal(JSON.stringify(result).includes(access.key), false, "no outcome carries the key");
  return result;
}
