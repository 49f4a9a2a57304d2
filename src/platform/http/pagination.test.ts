import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pageJson, parsePage, parseQuery } from "./pagination.ts";

test("a page of whatever query is within bounds, and its URLs are URLs", () => {
  const part = fc.oneof(
    fc.string({ unit: "grapheme-ascii", maxLength: 8 }).map((text) => encodeURIComponent(text)),
    fc.constantFrom("page", "per_page", "search", "%", "%zz", "5", "-1", "9".repeat(30), ""),
  );
  const search = fc
    .array(fc.tuple(part, part), { maxLength: 6 })
    .map((pairs) => pairs.map((pair) => pair.join("=")).join("&"));
  fc.assert(
    fc.property(search, fc.nat({ max: 1000 }), (search, total) => {
      const query = parseQuery(search);
      const page = parsePage(query);
      assert.ok(page.perPage >= 1 && page.perPage <= 200);
      assert.ok(
        Number.isSafeInteger(page.page) && page.page >= 1 && Number.isSafeInteger(page.offset) && page.offset >= 0,
      );
      const json = JSON.parse(pageJson([], total, page, "http://a/b", query));
      for (const url of [json.first_page_url, json.last_page_url]) {
        const parameters = new URL(url).searchParams;
        assert.equal(parameters.getAll("page").length, 1);
        assert.equal(parameters.get("per_page")?.trim() ?? "", query.get("per_page") ?? "");
      }
      assert.equal(json.last_page, Math.max(1, Math.ceil(total / page.perPage)));
    }),
  );
});

test("of repeated parameters the last counts, and only it is kept", () => {
  const query = parseQuery("a=1&page=2&a=2&b=%zz&page=3");
  assert.deepEqual([query.get("a"), query.get("page"), query.othersThanPage], ["2", "3", "a=2&b=%zz"]);
});
