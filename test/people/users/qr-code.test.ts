import assert from "node:assert/strict";
import { test } from "node:test";
import { qrSvg } from "../../../src/people/users/qr-code.ts";
import { otpauthUri } from "../../../src/people/users/totp.ts";

test("a second factor's address is a QR code that a strict content security policy lets be drawn", () => {
  const svg = String(qrSvg(otpauthUri("A".repeat(32), "acme", "ana@example.com"), "QR code"));
  assert.match(
    svg,
    /^<svg class="qr" role="img" aria-label="QR code" viewBox="0 0 (\d+) \1"[^>]*><rect width="\1" [^]*<\/svg>$/,
  );
  assert.match(svg, /<path d="(?:M\d+ \d+h1v1h-1z){200,}" fill="black"\/>/);
  assert.doesNotMatch(svg, /style|script|href|\bon\w+=/);
});
