import assert from "node:assert/strict";
import { test } from "node:test";
import { phoneAddress, phoneLink } from "../../../src/kit/web/contact-links.ts";

for (const [text, numbers] of [
  ["+40 264 555 010", ["+40264555010"]],
  ["0722 555 206 / 0264 555 010", ["0722555206", "0264555010"]],
  ["0268/555.010; 0722/555.206", ["0268555010", "0722555206"]],
  ["0722555206/0722555207, 0722555208", ["0722555206", "0722555207", "0722555208"]],
  ["0722 555 206 sau 0264 555 010", ["0722555206", "0264555010"]],
  ["tel. 0264 555 010 int. 12", ["0264555010"]],
  ["0264 555 206/207", ["0264555206"]],
  ["112", ["112"]],
  ["*123#", ["*123%23"]],
  ["none", []],
] as [string, string[]][]) {
  test(`“${text}” has a link for each of its numbers, and Call dials the first`, () => {
    const shown = String(phoneLink(text));
    assert.deepEqual(
      [...shown.matchAll(/href="tel:([^"]*)"/g)].map(([, number]) => number),
      numbers,
    );
    assert.equal(phoneAddress(text), numbers[0] === undefined ? null : `tel:${numbers[0]}`);
    assert.equal(shown.replaceAll(/<[^>]*>/g, ""), text);
  });
}
