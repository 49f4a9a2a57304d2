import assert from "node:assert/strict";
import { test } from "node:test";
import { request, startServer } from "../harness.ts";
import { violationsOf } from "./accessibility.ts";
import { openPage } from "./browser.ts";

/** Milliseconds until a page of the reference shows its words, at best. */
const MOST_MS = 300;
const TRIES = 5;

const FIRST_PAINT = `new Promise((resolve) => {
  const paints = (list) => list.getEntriesByName("first-contentful-paint").forEach(({ startTime }) => resolve(startTime));
  new PerformanceObserver(paints).observe({ type: "paint", buffered: true });
})`;

const server = await startServer();
const { text: list } = await request(server.url, "GET", "/llms.txt");
const paths = [...list.matchAll(/\]\((\/docs[^)]*)\.md\)/g)].map(([, path = ""]) => path);
/** Pages of errors are alike, and so are the chapters of the contract: a few stand for all. */
const chosen = paths.filter((path) => !/^\/docs\/(?:errors|contract)\/(?!validation_failed$|19$|6$)/.test(path));

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 390],
] as const) {
  test(`everybody can use each page of the reference: ${colorScheme}, ${width} px`, async () => {
    const page = await openPage(server, { width, colorScheme });
    assert.ok(chosen.length > 25, `${chosen.length} pages`);
    for (const path of chosen) {
      await page.goto(path);
      assert.deepEqual(await violationsOf(page, colorScheme === "dark" ? ["color-contrast"] : undefined), [], path);
    }
  });
}

test("no page of the reference scrolls sideways at 320 px", async () => {
  const page = await openPage(server, { width: 320 });
  for (const path of paths) {
    await page.goto(path);
    const [content, window] = await page.evaluate<[number, number]>(
      "[document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]",
    );
    assert.equal(content, window, path);
  }
});

test("without a script, tabs show the other languages, and the contents open on a telephone", async () => {
  const page = await openPage(server, { width: 390, javaScriptEnabled: false });
  await page.goto("/docs/api/companies");
  const python = page.getByText('os.environ["LIAISON"] + "/api/v1/companies",').first();
  assert.equal(await python.isVisible(), false);
  await page.getByText("Python", { exact: true }).first().click();
  await python.waitFor();
  await page.getByRole("button", { name: "Contents" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "Errors", exact: true }).click();
  await page.waitForURL("/docs/errors");
});

test("the chosen language is the same in all samples, and on the next page", async () => {
  const page = await openPage(server);
  await page.goto("/docs/api/companies");
  await page.getByText("PHP", { exact: true }).first().click();
  const shown = page.locator(".panel:visible code", { hasText: "<?php" });
  assert.ok((await shown.count()) > 5);
  await page.goto("/docs/api/contacts");
  assert.ok((await shown.count()) > 5);
});

test("the samples name this server, and `/` leads to the search", async () => {
  const page = await openPage(server);
  await page.goto("/docs");
  await page.getByText(`export LIAISON=${server.url}`).waitFor();
  await page.keyboard.press("/");
  assert.equal(await page.evaluate("document.activeElement.name"), "q");
});

test("a page of the reference is there at once", async () => {
  const page = await openPage(server);
  const times: number[] = [];
  for (let tries = 0; tries < TRIES; tries++) {
    await page.goto("/docs/api/companies");
    times.push(await page.evaluate<number>(FIRST_PAINT));
  }
  assert.ok(Math.min(...times) < MOST_MS, `${times.join(", ")} ms`);
});
