import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { routes } from "../../src/doors/routes.ts";
import { BODY_LIMIT } from "../../src/platform/http/body.ts";
import { fetchDocument, resolve, type Operation, type SchemaObject } from "../doors/api/document.ts";
import { everyRoute } from "../doors/api/every-route.ts";
import type { EveryRoute } from "../doors/api/route-row.ts";
import { nameOf, pathOf, pathWith, situationFor } from "../doors/api/route-situations.ts";
import { startServer } from "../harness.ts";
import { endlessTexts, marks, marksOf, type EndlessText } from "./endless-texts.ts";
import { headerText, sendRaw, type RawRequest } from "./raw-request.ts";
import { firstTooCostly, TELLING, type Attempt } from "./silence.ts";

/**
 * Every field, parameter and header of every endpoint is sent texts that are as long as its door lets in. Whatever is
 * done with them, nobody else waits for long, and neither does PostgreSQL. A new endpoint, field or parameter is in the
 * published document, and so in here.
 */

const server = await startServer({
  LIAISON_RATE_LIMIT: "0",
  LIAISON_AUTH_FAILURE_LIMIT: "0",
  LIAISON_TRUSTED_PROXIES: "127.0.0.1",
});
const tenant = await server.createTenant();
const document = await fetchDocument(server.url);
const authorized = { authorization: `Bearer ${tenant.token}` };

/** Bytes of a query or a path, percent-encoded, and of a header: Node.js takes 16 KiB of all headers together. */
const LINE_BYTES = 14 * 1024;
const TELLING_BYTES = 2 * TELLING;

const sending = (what: string, request: RawRequest): Attempt => ({
  what,
  async attempt() {
    const answer = await sendRaw(server.url, request);
    // Its whole text was let in.
    assert.ok(answer !== null && ![413, 431].includes(answer.status), `${what}: ${answer?.status}`);
  },
});

function operationOf({ method, path: template }: EveryRoute): Operation {
  const operation = document.paths[template]?.[method.toLowerCase()];
  assert.ok(operation, `${method} ${template} is in the published document`);
  return operation;
}

type Composed = SchemaObject & { items?: Composed; allOf?: Composed[]; anyOf?: Composed[] };
type Leaf = { path: string[]; schema: SchemaObject };

/**
 * The fields of a body that take no object and no array, each by its way there; an element of an array is its first.
 */
function leavesOf(schema: Composed, at: string[] = []): Leaf[] {
  const resolved = resolve<Composed>(document, schema);
  const { properties = {}, items, allOf = [], anyOf = [] } = resolved;
  const members = Object.entries(properties).flatMap(([name, each]) => leavesOf(each, [...at, name]));
  const elements = items === undefined ? [] : leavesOf(items, [...at, "0"]);
  const inside = [...members, ...elements, ...[...allOf, ...anyOf].flatMap((part) => leavesOf(part, at))];
  const isLeaf = inside.length === 0 && [resolved.type].flat().some((type) => type !== "null" && type !== "object");
  return isLeaf ? [{ path: at, schema: resolved }] : inside;
}

function leavesOfBody(row: EveryRoute): Leaf[] {
  const content = operationOf(row).requestBody?.content["application/json"] as { schema?: SchemaObject } | undefined;
  return content?.schema === undefined ? [] : leavesOf(content.schema);
}

/** A copy of a body with a value at some places. */
function withValues(body: object, places: readonly string[][], value: (place: string[]) => unknown): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  for (const place of places) {
    let at = copy;
    for (const [index, name] of place.slice(0, -1).entries()) {
      at = (at[name] ??= /^\d+$/.test(place[index + 1] ?? "") ? [] : {}) as Record<string, unknown>;
    }
    at[place.at(-1) ?? ""] = value(place);
  }
  return copy;
}

function isOfItem({ path: [first] }: Leaf): boolean {
  return first === "items";
}

/** Bodies with one field of such a text each; a batch has an item for each of its fields. */
function eachAlone(passes: object, places: readonly string[][], text: string): object[] {
  const { items: [item = {}] = [] } = passes as { items?: object[] };
  if (!("items" in passes)) return places.map((place) => withValues(passes, [place], () => text));
  return [{ items: places.map((place) => withValues(item, [place.slice(2)], () => text)) }];
}

const json = (body: object): Buffer => Buffer.from(JSON.stringify(body));

for (const row of everyRoute) {
  const { method, body } = row;
  const route = routes.find((each) => nameOf(each) === nameOf(row));
  const limit = route?.bodyLimit ?? BODY_LIMIT;

  test(`${nameOf(row)} keeps nobody waiting, whatever texts it is sent`, async () => {
    const made = await situationFor(row, server, tenant);
    const to = pathOf(row, made);
    const send = (sent: Buffer): RawRequest => ({ method, path: to, headers: authorized, body: sent });
    const parameters = (operationOf(row).parameters ?? []) as { name: string; in: string }[];
    const named = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);

    function* groups(): Generator<Attempt[]> {
      if (body === "none") yield [sending("a body", send(json({ name: marks.of(limit - 100) })))];
      else yield* inBody(body.passes);
      for (const name of named("query")) {
        yield endlessTexts.map(({ name: kind, of }) => {
          const query = encodeURIComponent(of(LINE_BYTES / 6).toWellFormed());
          const request = { method, path: `${to}?${name}=${query}`.slice(0, LINE_BYTES), headers: authorized };
          return sending(`${name}, ${kind}`, request);
        });
      }
      if (row.models.length > 0) {
        yield endlessTexts.map(({ name: kind, of }) => {
          const id = encodeURIComponent(of(LINE_BYTES / 6 / row.models.length).toWellFormed());
          const path = pathWith(
            row,
            row.models.map(() => id),
          );
          return sending(`the path, ${kind}`, { method, path, headers: authorized });
        });
      }
      for (const name of named("header")) {
        yield endlessTexts.map(({ name: kind, of }) => {
          const headers = { ...authorized, [name]: headerText(of(LINE_BYTES)).slice(0, LINE_BYTES) };
          return sending(`${name}, ${kind}`, { method, path: to, headers });
        });
      }
    }
    function* inBody(passes: object): Generator<Attempt[]> {
      const all = leavesOfBody(row);
      // What stands beside the items of a batch is refused before them.
      const leaves = all.some(isOfItem) ? all.filter(isOfItem) : all;
      const places = leaves.map(({ path: place }) => place);
      assert.ok(places.length >= Object.keys(passes).length, "the document says what the body may have");
      yield eachAlone(passes, places, marks.of(TELLING_BYTES)).map((sent, at) =>
        sending(
          `${"items" in sent ? "a field of an item" : places[at]?.join(".")} of ${TELLING_BYTES} bytes`,
          send(json(sent)),
        ),
      );
      // As long as a field may be, so that it is stored, and read by the next request.
      const fitting = leaves.filter(({ schema }) => schema.maxLength !== undefined && schema.format === undefined);
      const lengthOf = new Map(fitting.map(({ path: place, schema }) => [place.join(), Number(schema.maxLength)]));
      const filled = withValues(
        passes,
        fitting.map(({ path: place }) => place),
        (place) => marksOf(lengthOf.get(place.join()) ?? 2).slice(0, lengthOf.get(place.join())),
      );
      yield [sending("fields as long as they may be", send(json(filled)))];
      for (const { name, of } of endlessTexts) {
        const most = name === marks.name ? limit : Math.min(limit, 2 * BODY_LIMIT);
        const share = (most - 20_000) / places.length / Math.max(1, JSON.stringify(of(1_000)).length / 1_000);
        yield [sending(`all fields, ${name}`, send(json(withValues({}, places, () => of(share)))))];
      }
    }
    assert.deepEqual(await firstTooCostly(server, groups()), []);
  });
}

/** Bodies that are no text: about this number of bytes of each kind. */
const structures: readonly EndlessText[] = [
  { name: "arrays in arrays", of: (bytes) => `{"items":${"[".repeat(bytes - 20)}` },
  { name: "objects in objects", of: (bytes) => '{"a":'.repeat(bytes / 5) },
  { name: "one name again and again", of: (bytes) => `{${'"name":"a",'.repeat(bytes / 11)}"name":"a"}` },
  {
    name: "many names",
    of: (bytes) => `{${Array.from({ length: bytes / 16 }, (_, at) => `"n${at}":1`).join(",")}}`,
  },
  { name: "many elements", of: (bytes) => `{"items":[${"1,".repeat(bytes / 2 - 20)}1]}` },
  { name: "many objects", of: (bytes) => `{"items":[${"{},".repeat(bytes / 3 - 20)}{}]}` },
  { name: "lists in lists", of: (bytes) => `{"items":[${'{"lines":[{},{}]},'.repeat(bytes / 18 - 20)}{}]}` },
];

test("a body of whatever structure keeps nobody waiting, of each size that there is", async () => {
  const posts = routes.filter((route) => route.method === "POST" && !route.path.includes("{"));
  const bySize = Map.groupBy(posts, ({ bodyLimit = BODY_LIMIT }) => bodyLimit);
  const attempts = [...bySize].flatMap(([size, [route]]) =>
    structures.map(({ name, of }) => {
      const body = Buffer.from(of(size)).subarray(0, size);
      const request = { method: "POST", path: String(route?.path), headers: authorized, body };
      return [sending(`${route?.path}: ${name}`, request)];
    }),
  );
  assert.deepEqual(await firstTooCostly(server, attempts), []);
});

/** Every header that the program reads, as its source names it. */
function headersRead(): string[] {
  const source = fs
    .globSync("src/**/*.ts", { cwd: path.join(import.meta.dirname, "../..") })
    .map((file) => fs.readFileSync(path.join(import.meta.dirname, "../..", file), "utf8"))
    .join("\n");
  const names = [...source.matchAll(/\bheaders(?:\?)?(?:\.([a-z]+)\b(?!\()|\["([a-z-]+)"\])/g)];
  return [...new Set(names.map(([, plain, quoted]) => plain ?? quoted ?? ""))]
    .filter((name) => !["content-length", "transfer-encoding", "retry-after", "get", "has", "set"].includes(name))
    .toSorted();
}

test("a header of whatever text keeps nobody waiting, at every kind of door", async () => {
  const names = headersRead();
  assert.ok(names.includes("authorization") && names.includes("x-forwarded-for") && names.length > 15, names.join());
  const doors: RawRequest[] = [
    { method: "GET", path: "/api/v1/companies", headers: authorized },
    { method: "POST", path: "/api/v1/companies", headers: authorized, body: json({ name: "A" }) },
    { method: "GET", path: "/sign-in", headers: { accept: "text/html" } },
    {
      method: "POST",
      path: "/sign-in",
      headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
      body: Buffer.from("workspace=a"),
    },
    { method: "GET", path: "/none", headers: { accept: "text/html" } },
    { method: "OPTIONS", path: "/api/v1/companies", headers: {} },
  ];
  const attempts = doors.flatMap((door) =>
    names.map((name) =>
      endlessTexts.map(({ name: kind, of }) => {
        const headers = { ...door.headers, [name]: headerText(of(LINE_BYTES)).slice(0, LINE_BYTES) };
        return sending(`${door.method} ${door.path}: ${name}, ${kind}`, { ...door, headers });
      }),
    ),
  );
  assert.deepEqual(await firstTooCostly(server, attempts), []);
});
