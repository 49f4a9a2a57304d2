import assert from "node:assert/strict";
import { test } from "node:test";
import { createBodyParser, DEPTH_LIMIT, ENTRIES_OF_PART } from "../../../src/platform/http/json-body.ts";
import { NOBODY } from "../../../src/platform/sharing/caller.ts";
import { createSharing } from "../../../src/platform/sharing/sharing.ts";
import { fc } from "../../properties.ts";

const { time } = createSharing();
const parse = createBodyParser(time);
const parseBody = async (text: string | Uint8Array) => (await parse(Buffer.from(text), "a tenant", NOBODY)) ?? {};
/** A body of as many entries is parsed in parts. */
const MANY = 12_000;
const FILLED = Array.from({ length: 10 }, (_, at) => ({ at }));

test("a JSON object is read as it is; whatever else there is in a body is empty", async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 40 }), async (json) => {
      const value: unknown = JSON.parse(json);
      assert.deepEqual(await parseBody(json), isInput(value) ? value : {});
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), async (bytes) => typeof (await parseBody(bytes)) === "object"),
  );
});

test("a key like __proto__ is a key", async () => {
  for (const rest of ["", `,"many":[${"0,".repeat(MANY)}0]`]) {
    const input = await parseBody(`{"__proto__":{"name":"A"}${rest}}`);
    assert.equal(Object.hasOwn(input, "name"), false);
    assert.equal(input.name, undefined);
    assert.equal(Object.hasOwn(input, "__proto__"), true);
  }
});

test("a body of many entries is what it is, whatever they are and wherever they stand", async () => {
  const json = fc.json({ maxDepth: 6 });
  const strange = fc.string({
    unit: fc.constantFrom('"', "\\", ",", "[", "]", "{", "}", "ș", " "),
    size: "max",
    maxLength: 300,
  });
  await fc.assert(
    fc.asyncProperty(json, strange, fc.array(json, { minLength: 1 }), async (entry, text, members) => {
      const some = Object.fromEntries(members.map((member, index) => [`m${index}${text}`, JSON.parse(member)]));
      const filler = [JSON.parse(entry), text, { [text]: text }, [[text]]];
      const entries = Array.from({ length: MANY / 10 }, (_, index) => filler[index % filler.length]);
      const value = { name: "A", list: entries, object: Object.fromEntries(entries.entries()), ...some, tax_id: text };
      assertSame(await parseBody(JSON.stringify(value, null, 1)), value);
    }),
    { numRuns: 30 },
  );
});

test("a member without a name takes nothing from the array before it", async () => {
  const items = Array.from({ length: 1_000 }, (_, at) => Array.from({ length: 20 }, () => at));
  assert.deepEqual({ ...(await parseBody(JSON.stringify({ items, "": 7 }))) }, { items, "": 7 });
});

test("a body of many members has each of them, the last of those that come twice", async () => {
  const members = Array.from({ length: MANY }, (_, index) => `"f${index}":${index}`).join(",");
  const input = await parseBody(`{"name":"first",${members},"name":"last"}`);
  assert.equal(Object.keys(input).length, MANY + 1);
  assert.deepEqual([input.name, input.f0, input.f11999], ["last", 0, 11_999]);
});

test("a body of many entries that is no JSON is empty, wherever it is broken", async () => {
  const whole = `{"name":"A","list":[${'{"a":[1,"ș"]},'.repeat(MANY / 5)}0],"object":{${'"a":1,'.repeat(MANY)}"b":2},"last":0}`;
  assert.equal((await parseBody(whole)).name, "A");
  const bytes = Buffer.from(whole);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(bytes.length - 1),
      fc.nat(2),
      fc.constantFrom(...'{}[],:" 0a\\'.split("").map((sign) => Buffer.from(sign)), Buffer.from([0xff])),
      async (at, removed, inserted) => {
        const broken = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
        assertSame(await parseBody(broken), parsedAtOnce(broken));
      },
    ),
    { numRuns: 100 },
  );
});

test("beside others, large bodies take a quarter of the time", async () => {
  const megabyte = JSON.stringify({ name: "A".repeat(2 ** 20 - 11) });
  const began = performance.now();
  for (let n = 0; n < 6; n++) {
    void time.waitForTurn("another tenant", 0.1);
    await parseBody(megabyte);
  }
  // The first may begin at once, as may the rest of its four milliseconds.
  assert.ok(performance.now() - began > 5 * (4 * 50 - 4), `${performance.now() - began}`);
});

test("a body of several mebibytes is parsed in parts too, however few entries it has, and is what it is", async () => {
  const value = {
    name: "A",
    items: Array.from({ length: 500 }, (_, at) => ({ at, notes: "ș".repeat(5_000), tags: [at] })),
  };
  // No other tenant is present, so there is no rest.
  const alone = createBodyParser(createSharing().time);
  let turns = 0;
  const counted = setInterval(() => turns++);
  const input = await alone(Buffer.from(JSON.stringify(value)), "a tenant", NOBODY);
  clearInterval(counted);
  assert.deepEqual({ ...input }, value);
  assert.ok(turns >= 5, `others had ${turns} turns`);
});

test("a body of many entries may be nested as deep as any other", async () => {
  const many = `"many":[${"0,".repeat(MANY)}0]`;
  const nested = (levels: number) => `{${many},"name":"A","deep":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
  assert.equal((await parseBody(nested(DEPTH_LIMIT))).name, "A");
  assert.deepEqual({ ...(await parseBody(nested(DEPTH_LIMIT + 1))) }, {});
});

/** As JSON.parse() and the rules for bodies have it. */
function parsedAtOnce(bytes: Buffer): object {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return isInput(value) ? value : {};
  } catch {
    return {};
  }
}

/** A body that was parsed in parts has all its members, and the beginning of its arrays and objects. */
function assertSame(actual: object, expected: object): void {
  assert.deepEqual(Object.keys(actual), Object.keys(expected));
  for (const [name, value] of Object.entries(expected)) {
    const other = (actual as Record<string, unknown>)[name];
    if (typeof value !== "object" || value === null) assert.equal(other, value);
    else assert.deepEqual([typeof other, Array.isArray(other)], ["object", Array.isArray(value)]);
  }
}

function isInput(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && depthOf(value) <= DEPTH_LIMIT;
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Object.values(value).reduce((most: number, child) => Math.max(most, depthOf(child)), 0);
}

test("an array of the body has its elements, wherever it is, whatever they are; two thousand of them at least", async () => {
  const json = fc.json({ maxDepth: 5 });
  const strange = fc.string({ unit: fc.constantFrom('"', "\\", ",", "[", "]", "{", "}", "items", ":"), maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.array(json, { minLength: 1 }), strange, async (some, text) => {
      const filler = [
        ...some.map((each): unknown => JSON.parse(each)),
        text,
        { [text]: text, items: [text, ...FILLED] },
      ];
      const items = Array.from({ length: 2_000 }, (_, index) => filler[index % filler.length]);
      const value = { 5: items, object: { items }, other: items, [`${text}x`]: items, items };
      const input = await parse(Buffer.from(JSON.stringify(value)), "a tenant", NOBODY);
      for (const name of ["5", "other", `${text}x`, "items"]) assert.deepEqual(input?.[name], items);
    }),
    { numRuns: 10 },
  );
  const many = (first: number) =>
    JSON.stringify(Array.from({ length: MANY }, (_, index) => ({ index: index + first })));
  const items = async (text: string) => (await parseBody(text)) as { items: { index: number }[] };
  const [twice, gone] = [
    await items(`{"items":${many(0)},"items":${many(1)}}`),
    await items(`{"items":${many(0)},"items":{"a":${many(0)}}}`),
  ];
  assert.deepEqual([twice.items[0], twice.items[1_999]], [{ index: 1 }, { index: 2_000 }], "the last, as ever");
  assert.equal(Array.isArray(gone.items), false);
});

test("of an array that is longer than any field accepts, the end is not stored", async () => {
  const { items } = (await parseBody(JSON.stringify({ items: Array(100_000).fill(7) }))) as { items: number[] };
  assert.ok(items.length >= 2_000 && items.length <= 2 * ENTRIES_OF_PART + 1, `${items.length} elements`);
});

test("an element of too many entries is null, and those around it are there", async () => {
  for (const length of [MANY + 2_000, 5 * MANY]) {
    const input = await parseBody(
      JSON.stringify({ items: [{ at: 0 }, { more: Array(length).fill(0) }, { at: 2 }], last: 3 }),
    );
    assert.deepEqual({ ...input }, { items: [{ at: 0 }, null, { at: 2 }], last: 3 });
  }
});
