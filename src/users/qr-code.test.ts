import assert from "node:assert/strict";
import { test } from "node:test";
import { qrSvg } from "./qr-code.ts";
import { otpauthUri } from "./totp.ts";

test("a second factor's address is a QR code that a strict content security policy lets be drawn", () => {
  const svg = qrSvg(otpauthUri("A".repeat(32), "acme", "ana@example.com"));
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"[^]*<\/svg>$/);
  assert.doesNotMatch(svg, /style|script|href|\bon\w+=/);
});
