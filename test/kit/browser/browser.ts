import assert from "node:assert/strict";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import type { Visitor } from "../../doors/pages/visitor.ts";
import type { TestServer } from "../../harness.ts";
import { afterAll, afterEachTest, afterFile } from "../../together.ts";
import { findChromium } from "./chromium.ts";

/** The longest wait for a condition, in milliseconds. */
const PATIENCE = 60_000;

export type Look = {
  /** Who looks; nobody in particular without it. */
  as?: Visitor;
  /** In pixels; 1280 unless told otherwise. */
  width?: number;
  javaScriptEnabled?: boolean;
  colorScheme?: "light" | "dark";
  locale?: string;
  /** Of a server with a certificate of nobody. */
  ignoreHTTPSErrors?: boolean;
};

let browser: Promise<Browser> | null = null;
const windows = new Set<BrowserContext>();
const complaints: string[] = [];

afterFile(async () => {
  await Promise.all([...windows].map(async (window) => await window.close()));
  windows.clear();
});

afterAll(async () => {
  await (await browser)?.close();
});

// A test fails by what a browser complained of meanwhile, whatever else it asserts.
afterEachTest(() => {
  assert.deepEqual(complaints.splice(0), []);
});

/** A window of its own, with cookies and settings of its own, in the one browser of the process. */
export async function openWindow(server: TestServer, look: Look = {}): Promise<BrowserContext> {
  const { as, width = 1280, ...others } = look;
  browser ??= findChromium().then(async (found) => await chromium.launch(found));
  const context = await (
    await browser
  ).newContext({ baseURL: server.url, viewport: { width, height: 800 }, ...others });
  windows.add(context);
  context.setDefaultTimeout(PATIENCE);
  const cookies = [...(as?.cookies ?? [])].map(([name, value]) => ({ name, value, url: server.url }));
  await context.addCookies(cookies);
  context.on("page", watch);
  return context;
}

/** A page in a window of its own. */
export async function openPage(server: TestServer, look: Look = {}): Promise<Page> {
  return await (await openWindow(server, look)).newPage();
}

/** Holds back the requests of a page that match a pattern, until the returned function is called. */
export async function heldBack(page: Page, pattern: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/**
 * Notes errors of scripts, violations of the policy (the console reports them as errors), and parts of the page that
 * did not come.
 */
function watch(page: Page): void {
  page.on("pageerror", ({ message }) => {
    // A test that goes on quickly interrupts the transition between two pages; Chromium reports that as an error, and
    // shows the page.
    if (!message.startsWith("Transition was ")) complaints.push(`${page.url()}: ${message}`);
  });
  page.on("console", (message) => {
    const { url } = message.location();
    // A form that was refused is a page like any other, and so is an answer of the API that "Try it" shows. Chromium
    // reports each status from 400 on.
    const isShown = url.split("#")[0] === page.url() || new URL(url, page.url()).pathname.startsWith("/api/v1/");
    const isStatus = message.text().startsWith("Failed to load resource");
    if (["error", "warning"].includes(message.type()) && !(isStatus && isShown)) {
      complaints.push(`${page.url()}: ${message.text()} (${url})`);
    }
  });
  page.on("requestfailed", (request) => {
    // A script gives up what it asked for once it asks for something else.
    const { errorText } = request.failure() ?? {};
    if (errorText !== "net::ERR_ABORTED") complaints.push(`${page.url()}: ${request.url()} failed: ${errorText}`);
  });
}
