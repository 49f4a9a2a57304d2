import assert from "node:assert/strict";
import { test } from "node:test";
import { browserName } from "../../../src/people/sessions/browser-name.ts";

const MOZILLA = "Mozilla/5.0";
const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";
const WINDOWS = "(Windows NT 10.0; Win64; x64)";
const MAC = "(Macintosh; Intel Mac OS X 10_15_7)";
const ANDROID = "(Linux; Android 10; K)";
const IPHONE = "(iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";

for (const [userAgent, name] of [
  [`${MOZILLA} ${WINDOWS} ${CHROME}`, "Chrome, Windows"],
  [`${MOZILLA} ${WINDOWS} ${CHROME} Edg/150.0.0.0`, "Edge, Windows"],
  [`${MOZILLA} ${WINDOWS} ${CHROME} OPR/126.0.0.0`, "Opera, Windows"],
  [
    `${MOZILLA} ${ANDROID} AppleWebKit/537.36 SamsungBrowser/29.0 Chrome/136.0 Mobile Safari/537.36`,
    "Samsung Internet, Android",
  ],
  [`${MOZILLA} (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0`, "Firefox, Linux"],
  [`${MOZILLA} ${IPHONE} FxiOS/148.0 Mobile/15E148 Safari/605.1.15`, "Firefox, iOS"],
  [`${MOZILLA} ${IPHONE} CriOS/150.0 Mobile/15E148 Safari/604.1`, "Chrome, iOS"],
  [`${MOZILLA} ${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`, "Safari, macOS"],
  [`${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${CHROME}`, "Chrome, ChromeOS"],
  ["curl/8.17.0", null],
  ["", null],
] as const) {
  test(`a browser is named: ${name ?? `nothing, of "${userAgent}"`}`, () => {
    assert.equal(browserName(userAgent), name);
  });
}
