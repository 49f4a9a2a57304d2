import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, NotFoundError, type ResponseReport } from "../../clients/typescript/src/index.ts";
import { startServer } from "../harness.ts";

/** Pages of the TypeScript client, embedded resources, and its reports of answers. */
const server = await startServer();

test("pages come with their cursors, continue behind one, and have what is included", async () => {
  const tenant = await server.createTenant();
  const client = createClient({ url: server.url, token: tenant.token });
  const { results } = await client.companies.batch(["A", "B", "C"].map((name) => ({ name })));
  const [first = 0] = results.map(({ id }) => id ?? 0);
  for (const name of ["Ana", "Dan", "Eva"]) await client.contacts.create(first, { first_name: name, last_name: "Pop" });

  const pages = await Array.fromAsync(client.companies.pages({ per_page: 2 }, { include: ["contacts", "addresses"] }));
  const [one, two] = pages;
  assert.deepEqual([pages.length, typeof one?.next_cursor, two?.next_cursor], [2, "string", null]);
  assert.deepEqual(
    pages.flatMap(({ data }) =>
      data.map(({ name, contacts, addresses }) => [name, contacts?.data.length, addresses?.more]),
    ),
    [
      ["A", 3, false],
      ["B", 0, false],
      ["C", 0, false],
    ],
  );
  const rest = await Array.fromAsync(client.companies.pages({ cursor: one?.next_cursor ?? "", per_page: 1 }));
  assert.deepEqual(
    rest.map(({ data }) => data.map(({ name }) => name)),
    [["C"]],
  );
  assert.equal((await client.companies.get(first, { include: ["contacts"] })).contacts?.data[0]?.full_name, "Ana Pop");

  const [people] = await Array.fromAsync(client.contacts.pages(first, { search: "dan" }));
  assert.deepEqual(
    people?.data.map(({ full_name: name }) => name),
    ["Dan Pop"],
  );
  const everyone = await Array.fromAsync(client.contacts.ofAllCompanies({ search: "pop" }));
  assert.equal(everyone.length, 3);
});

test("each answer is reported, those with errors and replays too", async () => {
  const tenant = await server.createTenant();
  const { token } = await tenant.createKey({ rate: 100 });
  const reports: ResponseReport[] = [];
  const client = createClient({ url: server.url, token, onResponse: (report) => reports.push(report) });
  const idempotencyKey = "order-1";
  for (let round = 0; round < 2; round++) await client.companies.create({ name: "A" }, { idempotencyKey });
  await assert.rejects(client.companies.get(999_999), NotFoundError);
  const at = `${server.url}/api/v1/companies`;
  assert.deepEqual(
    reports.map(({ method, url, status, replayed, rateLimit }) => [method, url, status, replayed, rateLimit]),
    [
      ["POST", at, 201, false, { limit: 100, remaining: 99 }],
      ["POST", at, 201, true, { limit: 100, remaining: 98 }],
      ["GET", `${at}/999999`, 404, false, { limit: 100, remaining: 97 }],
    ],
  );
  assert.equal(new Set(reports.map(({ requestId }) => requestId)).size, 3);

  const broken = createClient({
    url: server.url,
    token,
    onResponse: () => {
      throw new RangeError("of the callback");
    },
  });
  await assert.rejects(broken.me.get(), RangeError);
});
