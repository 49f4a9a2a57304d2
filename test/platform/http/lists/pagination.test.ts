import assert from "node:assert/strict";
import { test } from "node:test";
import { fullFormats } from "ajv-formats/dist/formats.js";
import {
  ignoredIn,
  pageAmong,
  pageJson,
  parsePage,
  parseQuery,
} from "../../../../src/platform/http/lists/pagination.ts";
import { fc } from "../../../properties.ts";

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

test("a page that a list does not reach is its last one, and the first of an empty list", () => {
  const shown = (search: string, total: number) => {
    const { page, offset } = pageAmong(parsePage(parseQuery(search)), total);
    return [page, offset];
  };
  assert.deepEqual(shown("per_page=10", 0), [1, 0]);
  assert.deepEqual(shown("per_page=10&page=2", 10), [1, 0]);
  assert.deepEqual(shown("per_page=10&page=2", 11), [2, 10]);
  assert.deepEqual(shown("per_page=10&page=9", 25), [3, 20]);
});

test("page URLs are URIs that mean the same to a browser and to a client that follows RFC 3986", () => {
  // Every character that a request's first line may contain.
  const visible = Array.from({ length: 0x7e - 0x21 + 1 }, (_, i) => String.fromCharCode(0x21 + i));
  const text = fc.string({ unit: fc.constantFrom(...visible, "%", "%4", "%C8%99", "%zz"), maxLength: 12 });
  const sent = fc.array(text, { maxLength: 6 }).map((parts) => parts.join("&").replaceAll("#", ""));
  const isUri = fullFormats.uri as (text: string) => boolean;
  fc.assert(
    fc.property(sent, (search) => {
      const query = parseQuery(search);
      const url = JSON.parse(pageJson([], 5, parsePage(query), "http://a.example/b", query)).last_page_url as string;
      assert.ok(isUri(url), url);
      const meant = [...new URLSearchParams(`&${query.othersThanPage}`), ["page", "1"]];
      assert.deepEqual([...new URL(url).searchParams], meant, url);
      assert.equal(
        allowedOf(url),
        allowedOf(`http://a.example/b?${query.othersThanPage}${query.othersThanPage && "&"}page=1`),
      );
    }),
  );
});

/** The parts of a URL that need no encoding; characters that must be encoded are removed, encoded or not. */
function allowedOf(url: string): string {
  return url.replaceAll(/%(?:25|22|3C|3E|5B|5C|5D|5E|60|7B|7C|7D)|%(?![0-9A-F]{2})|["<>[\\\]^`{|}]/gi, "");
}

test("of repeated parameters the last counts, and only it is kept", () => {
  const query = parseQuery("a=1&page=2&a=2&b=%zz&page=3");
  assert.deepEqual([query.get("a"), query.get("page"), query.othersThanPage], ["2", "3", "a=2&b=%zz"]);
});

test("a parameter is the same however its name is encoded, and nothing between ampersands is none", () => {
  const query = parseQuery("a=1&%61=2&%70age=3&b+c=4");
  assert.deepEqual([query.names(), query.get("a"), query.get("page")], [["a", "page", "b c"], "2", "3"]);
  assert.equal(query.othersThanPage, "%61=2&b+c=4");
  const others = parseQuery("&a=1&&b=2&");
  assert.deepEqual([others.names(), others.othersThanPage], [["a", "b"], "a=1&b=2"]);
});

test("parameters without a meaning are named: at most 20, each by its first 64 characters", () => {
  const known = new Set(["page", "custom[KEY]"]);
  const ignored = (search: string, words?: string[]) =>
    ignoredIn(parseQuery(search), known, words && new Set(words), ["custom[vip]"]);
  assert.equal(ignored("page=1&custom[price]=1"), null);
  assert.equal(ignored("custom[price]=1&custom[vip]=1&tpyo=1"), "custom%5Bvip%5D, tpyo");
  assert.equal(ignored("include=a,b", ["a"]), "include, include=b");
  assert.equal(ignored("x".repeat(65)), "x".repeat(64));
  const many = Array.from({ length: 21 }, (_, n) => `p${n}`);
  assert.equal(ignored(many.join("&")), many.slice(0, 20).join(", "));
});
