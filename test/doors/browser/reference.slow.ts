import assert from "node:assert/strict";
import { test } from "node:test";
import { request, startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";

/** A page of the reference shows its words, at best, within this many times what a page of one form takes. */
const MOST_TIMES = 5;
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

test("wide windows have 232 px of contents, 680 px of words and 440 px of code", async () => {
  const page = await openPage(server, { width: 1440 });
  for (const path of ["/docs", "/docs/api/companies", "/docs/events"]) {
    await page.goto(path);
    const widths = await page.evaluate<number[]>(
      "['#pages', '.beside > :first-child', '.beside > .aside'].map((each) => document.querySelector(each).offsetWidth)",
    );
    assert.deepEqual(widths, [232, 680, 440], path);
  }
});

test("the contents show the present page, which begins at its top", async () => {
  const page = await openPage(server);
  for (const path of ["/docs", "/docs/api/webhooks", "/docs/changelog"]) {
    await page.goto(path);
    const [top, bottom, scrolled] = await page.evaluate<number[]>(
      "(({ top, bottom }) => [top, bottom, scrollY])(document.querySelector('#pages [aria-current]').getBoundingClientRect())",
    );
    assert.ok(top !== undefined && top > 56 && bottom !== undefined && bottom < 800, `${path}: ${top} to ${bottom}`);
    assert.equal(scrolled, 0, path);
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
  const paint = async (path: string) => {
    await page.goto(path);
    return await page.evaluate<number>(FIRST_PAINT);
  };
  const [form, reference]: [number[], number[]] = [[], []];
  for (let tries = 0; tries < TRIES; tries++) {
    form.push(await paint("/sign-in"));
    reference.push(await paint("/docs/api/companies"));
  }
  const times = Math.min(...reference) / Math.min(...form);
  assert.ok(times < MOST_TIMES, `${times} times: ${reference.join(", ")} ms, and ${form.join(", ")} ms`);
});

test("Try it sends a request with the typed key, which stays in this tab and in no address", async () => {
  const tenant = await server.createTenant();
  const page = await openPage(server);
  const addresses: string[] = [];
  page.on("request", (sent) => addresses.push(sent.url()));
  await page.goto("/docs/api/companies");
  const create = page.locator(".try", { has: page.locator("[data-method=POST][data-path='/api/v1/companies']") });
  await create.locator("summary").click();
  await create.getByLabel("API key").fill(tenant.token);
  await create.getByLabel("Body").fill('{"name": "Tried SRL"}');
  await create.getByRole("button", { name: "Send POST" }).click();
  await create.locator("output", { hasText: "201" }).waitFor();
  assert.match((await create.locator("output pre").textContent()) ?? "", /"name": "Tried SRL"/);
  assert.deepEqual(await violationsOf(page), []);

  // The next page of this tab has the key, and parameters become a query.
  const { id } = (await tenant.get("/api/v1/companies")).body.data[0];
  await page.goto("/docs/api/contacts");
  const list = page.locator(".try", {
    has: page.locator("[data-path='/api/v1/companies/{company}/contacts'][data-method=GET]"),
  });
  await list.locator("summary").click();
  assert.equal(await list.getByLabel("API key").inputValue(), tenant.token);
  await list.getByLabel("company", { exact: true }).fill(String(id));
  await list.getByLabel("search", { exact: true }).fill("a&per_page=2");
  await list.getByRole("button", { name: "Send GET" }).click();
  await list.locator("output", { hasText: "200" }).waitFor();
  await page.getByText(`Authorization: Bearer ${tenant.token}`).first().waitFor({ state: "attached" });
  assert.ok(addresses.some((address) => address.endsWith(`/companies/${id}/contacts?search=a%26per_page%3D2`)));
  assert.deepEqual(
    addresses.filter((address) => address.includes(tenant.token.slice(-10))),
    [],
  );
  const other = await openPage(server);
  await other.goto("/docs/api/contacts");
  assert.equal(await other.locator("[data-key]").first().inputValue(), "");
});

test("Try it names the error of an answer, and leads to its page", async () => {
  const page = await openPage(server);
  await page.goto("/docs/api/me");
  await page.locator(".try summary").click();
  await page.getByRole("button", { name: "Send GET" }).click();
  await page.locator("output").getByRole("link", { name: "key_missing", exact: true }).click();
  await page.waitForURL("/docs/errors/key_missing");
});

test("suggestions stay within the window of a telephone", async () => {
  const page = await openPage(server, { width: 320 });
  await page.goto("/docs");
  await page.getByRole("searchbox").fill("external");
  const box = await page.locator(".suggestions", { hasText: "Search all texts" }).boundingBox();
  assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 320, JSON.stringify(box));
  assert.deepEqual(await violationsOf(page), []);
});

test("the last suggestion searches all texts", async () => {
  const page = await openPage(server);
  await page.goto("/docs");
  await page.keyboard.press("/");
  await page.keyboard.type("committed changes");
  await page.locator(".suggestions").getByRole("link", { name: "Search all texts" }).click();
  await page.waitForURL("/docs/search?q=committed+changes");
  await page.getByRole("main").getByRole("link", { name: "Feed, webhook or poll?" }).waitFor();
});

test("the search suggests places while somebody types, by keyboard alone", async () => {
  const page = await openPage(server);
  await page.goto("/docs");
  await page.keyboard.press("/");
  await page.keyboard.type("tax_id_t");
  await page.locator(".suggestions").getByRole("link", { name: "tax_id_taken", exact: true }).waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("/docs/errors/tax_id_taken");
});
