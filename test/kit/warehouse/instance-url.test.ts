import assert from "node:assert/strict";
import { test } from "node:test";
import { instanceUrl, parseSubdomain, parseUrlTemplate } from "../../../src/kit/warehouse/instance-url.ts";

test("the subdomain takes its place in the host, whatever surrounds it", () => {
  for (const [template, address] of [
    ["https://{subdomain}.wms.example/api/v1", "https://nord.wms.example/api/v1/"],
    ["https://{subdomain}.wms.example/", "https://nord.wms.example/"],
    ["http://{subdomain}.localhost:4000", "http://nord.localhost:4000/"],
    ["https://wms-{subdomain}.example//", "https://wms-nord.example/"],
    ["https://{subdomain}", "https://nord/"],
  ] as const) {
    assert.equal(instanceUrl(parseUrlTemplate(template), " Nord ")?.href, address);
  }
});

test("another template is refused with what it should be", () => {
  for (const wrong of [
    "https://wms.example/api",
    "https://wms.example/{subdomain}",
    "https://{subdomain}@wms.example",
    "https://key:{subdomain}@wms.example",
    "https://user:password@{subdomain}.wms.example",
    "https://{subdomain}.wms.example?x=1",
    "https://{subdomain}.wms.example/?",
    "https://{subdomain}.wms.example/#a",
    "https://{subdomain}.{subdomain}.example",
    "https://{subdomain}.wms.example/{tenant}",
    "ftp://{subdomain}.wms.example",
    "{subdomain}.wms.example",
    "https://{subdomain}.wms example",
    "",
  ]) {
    assert.throws(() => parseUrlTemplate(wrong), /^Error: must be a URL like https:\/\/\{subdomain\}\.wms/, wrong);
  }
});

test("a subdomain is one DNS label in lower case", () => {
  for (const label of ["a", "nord", "Nord-2", "3m", "x".repeat(63), "xn--bcher-kva"]) {
    assert.equal(parseSubdomain(` ${label}\t`), label.toLowerCase());
  }
  for (const none of ["", "a.b", "-a", "a-", "a_b", "ș", "x".repeat(64), "a\n.b", "a/", "*"]) {
    assert.equal(parseSubdomain(none), null, none);
  }
});
