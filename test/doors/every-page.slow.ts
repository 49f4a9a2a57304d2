import assert from "node:assert/strict";
import { test } from "node:test";
import type { CDPSession, Page } from "playwright-core";
import { startServer } from "../harness.ts";
import { violationsOf } from "../kit/browser/accessibility.ts";
import { openPage } from "../kit/browser/browser.ts";
import { listTrouble } from "../kit/browser/list-trouble.ts";
import { targetTrouble } from "../kit/browser/target-trouble.ts";
import { everyPage } from "./pages/every-page.ts";
import { withSecondFactor } from "./pages/second-factor.ts";
import { operatorIn, signedIn, type Visitor } from "./pages/visitor.ts";

/**
 * Bytes that a first load may take as they are sent, compressed, and what it may ask for: the page, its style, its
 * script, its icons, and the mark once.
 */
const MOST = 26 * 1024;
const MOST_REQUESTS = 5;
/** The script that a page loads a second after it began, which on a slow machine is while it loads. */
const LATER = "/progress.js";

/** The width of a tablet, where the navigation is still beside the page. */
const TABLET = 768;

const server = await startServer();
const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { role: "admin", name: "Wilhelmina Donaudampfschifffahrtsgesellschaft" });

// Words as long as they come, so that every list has some.
for (const name of ["W".repeat(255), "Rindfleischetikettierungsüberwachungsgesellschaft ".repeat(5), "Acme"]) {
  const values = { name, city: name.slice(0, 100), tax_id: name.slice(0, 20), status: "active" };
  const { status, text } = await tenant.post("/api/v1/companies", values);
  assert.equal(status, 201, text);
}

const contact = {
  first_name: "Wilhelmina",
  last_name: "Donaudampfschifffahrtsgesellschaft",
  position: "Rindfleischetikettierungsbeauftragte",
  email: "wilhelmina@donaudampfschifffahrtsgesellschaft.example",
  mobile: "+40 264 555 010 int. 12",
};
await tenant.post("/api/v1/companies/1/contacts", contact);
await admin.post("/companies/1/calls", { due_on: "2031-02-03", about: "Prices from January", contact_id: "1" });

const visitors = {
  nobody: null,
  admin,
  operator: await operatorIn(server),
  halfway: await (await withSecondFactor(server, tenant)).halfway(),
};

const SEEN_BY = {
  everybody: "nobody",
  "signed-in": "admin",
  members: "admin",
  admins: "admin",
  operators: "operator",
} as const;

/** Pages with other contents than the usual. */
const moreCases = [
  "/companies?search=acme",
  "/companies?search=nowhere",
  "/companies?page=2",
  "/companies?deleted=1",
  "/companies/1",
  "/companies/1/edit?field=notes",
  "/orders?state=attention",
  "/nowhere",
];

const cases = everyPage()
  .filter(({ route, isFile }) => route.method === "GET" && !isFile)
  .map(({ page, route, of, seenBy }) => ({
    page,
    as: seenBy ?? SEEN_BY[route.for],
    of: of ?? (async () => route.path),
  }))
  .concat(moreCases.map((path) => ({ page: `GET ${path}`, as: "admin", of: async () => path })));

type Window = { width: number; page: Page; network: CDPSession };

const windows = new Map<keyof typeof visitors, Promise<Window[]>>();

for (const { page: name, as, of } of cases) {
  test(`${name}: fits, is light to load and can be used by everybody, wide and narrow, light and dark`, async () => {
    const path = await of(tenant, admin);
    const opened =
      windows.get(as) ?? Promise.all([1280, 320].map(async (width) => await openWindow(width, visitors[as])));
    windows.set(as, opened);
    const found = await Promise.all((await opened).map(async (window) => await inspect(window, path)));
    assert.deepEqual(found.flat(), []);
  });
}

async function openWindow(width: number, as: Visitor | null): Promise<Window> {
  const page = await openPage(server, { width, ...(as !== null && { as }) });
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  // Every load is a first one.
  await network.send("Network.setCacheDisabled", { cacheDisabled: true });
  return { width, page, network };
}

/** What the page that is loaded gets, until it is loaded: no answer to the page before, and no script for later. */
async function answersOf(network: CDPSession, load: () => Promise<void>): Promise<{ url: string; bytes: number }[]> {
  const asked = new Map<string, { url: string; page: string }>();
  const answered: { id: string; bytes: number }[] = [];
  const ask = ({ requestId, loaderId, request }: { requestId: string; loaderId: string; request: { url: string } }) =>
    asked.set(requestId, { url: request.url, page: loaderId });
  // A picture that the browser brings itself has no bytes.
  const answer = ({ requestId, encodedDataLength }: { requestId: string; encodedDataLength: number }) => {
    if (encodedDataLength > 0) answered.push({ id: requestId, bytes: encodedDataLength });
  };
  network.on("Network.requestWillBeSent", ask);
  network.on("Network.loadingFinished", answer);
  await load();
  network.off("Network.requestWillBeSent", ask);
  network.off("Network.loadingFinished", answer);
  // The request of a page itself is named as the page is.
  const loaded = [...asked].findLast(([id, { page }]) => id === page)?.[0];
  return answered.flatMap(({ id, bytes }) => {
    const { url, page } = asked.get(id) ?? {};
    return url !== undefined && page === loaded && !url.endsWith(LATER) ? [{ url, bytes }] : [];
  });
}

/** All that is wrong with a page at one width. */
async function inspect({ width, page, network }: Window, path: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const sent = await answersOf(network, async () => void (await page.goto(path, { waitUntil: "load" })));
  const bytes = sent.reduce((sum, answer) => sum + answer.bytes, 0);
  const isHeavy = bytes === 0 || bytes > MOST || sent.length > MOST_REQUESTS;
  const wrong = isHeavy ? [`${bytes} bytes are sent in ${sent.map(({ url }) => url).join(" ")}`] : [];
  wrong.push(...(await sideways(page)));
  wrong.push(...(await listTrouble(page)));
  if (width < 720) wrong.push(...(await targetTrouble(page)));
  wrong.push(...(await violationsOf(page)));
  await page.emulateMedia({ colorScheme: "dark" });
  wrong.push(...(await violationsOf(page, ["color-contrast"])).map((violation) => `dark: ${violation}`));
  if (width > TABLET) {
    await page.setViewportSize({ width: TABLET, height: 800 });
    wrong.push(...(await sideways(page)).map((what) => `at ${TABLET} px it ${what}`));
    await page.setViewportSize({ width, height: 800 });
  }
  return wrong.map((what) => `${width} px: ${what}`);
}

async function sideways(page: Page): Promise<string[]> {
  const [content, window] = await page.evaluate<[number, number]>(
    "[document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]",
  );
  return content > window ? [`scrolls sideways: ${content} of ${window} px`] : [];
}
