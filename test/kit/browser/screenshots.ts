import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { findChromium } from "./chromium.ts";

/**
 * `npm run screenshots`: takes the pictures of docs/images/ anew, from the demo data of a server on a new directory.
 */

const ROOT = path.join(import.meta.dirname, "../../..");
const FOLDER = path.join(ROOT, "docs/images");

/** Bytes of a picture that a page of the documentation may show. */
const MOST = 150 * 1024;

const VIEWS = {
  wide: { suffix: "", width: 1280, height: 720, colorScheme: "light" },
  dark: { suffix: "-dark", width: 1280, height: 720, colorScheme: "dark" },
  telephone: { suffix: "-360", width: 360, height: 740, colorScheme: "light" },
} as const;

/** A page to take, wide unless `views` says otherwise. `before` is what a person does on the page first. */
type Shot = {
  name: string;
  path: string;
  views?: readonly (keyof typeof VIEWS)[];
  isSignedOut?: true;
  before?: (page: Page) => Promise<void>;
};

type Cookies = Parameters<BrowserContext["addCookies"]>[0];

const shots: Shot[] = [
  { name: "today", path: "/today?whose=all" },
  { name: "companies", path: "/companies", views: ["wide", "telephone"] },
  { name: "company", path: "/companies/1", views: ["wide", "telephone", "dark"] },
  { name: "contact", path: "/contacts/1" },
  { name: "orders", path: "/orders" },
  { name: "invoice", path: "/invoices/1" },
  { name: "invoice-new", path: "/invoices/new?company=1" },
  {
    name: "find",
    path: "/companies/1",
    before: async (page) => {
      await page.keyboard.press("Control+k");
      await page.locator("#found [role=option]").first().waitFor();
      await page.keyboard.type("bra");
      await page.locator("#found[data-search=bra]").waitFor();
    },
  },
  { name: "keys", path: "/keys/new" },
  { name: "reference", path: "/docs/api/companies#createCompany", isSignedOut: true },
];

const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-screenshots-"));
const browser = await chromium.launch(await findChromium());
const { server, url, signIn } = await startServer();
try {
  const cookies = await signedIn();
  for (const shot of shots) await take(shot, cookies);
} finally {
  server.kill("SIGTERM");
  await Promise.all([browser.close(), new Promise((resolve) => server.once("exit", resolve))]);
  fs.rmSync(directory, { recursive: true, force: true });
}

async function take(shot: Shot, cookies: Cookies): Promise<void> {
  for (const view of shot.views ?? (["wide"] as const)) {
    const { suffix, width, height, colorScheme } = VIEWS[view];
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width, height },
      colorScheme,
      reducedMotion: "reduce",
    });
    await context.addCookies(shot.isSignedOut ? [] : cookies);
    const page = await context.newPage();
    await page.goto(shot.path);
    await shot.before?.(page);
    await save(page, `${shot.name}${suffix}`);
    await context.close();
  }
}

async function save(page: Page, name: string): Promise<void> {
  const picture = await page.screenshot({
    path: path.join(FOLDER, `${name}.png`),
    animations: "disabled",
    caret: "hide",
  });
  if (picture.length > MOST) throw new Error(`${name}.png has ${picture.length} bytes`);
  console.log(`${name}.png: ${picture.length} bytes`);
}

/** The cookies of somebody who has signed in. */
async function signedIn(): Promise<Cookies> {
  const page = await browser.newPage();
  await page.goto(`${url}/sign-in`);
  for (const [name, value] of Object.entries(signIn)) await page.locator(`#${name}`).fill(value);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${url}/today`);
  return await page.context().cookies();
}

/** A server on the new directory, and the sign-in that it prints once. */
async function startServer(): Promise<{ server: ChildProcess; url: string; signIn: Record<string, string> }> {
  const server = spawn(process.execPath, [path.join(ROOT, "src/main.js"), "serve"], {
    env: {
      PATH: process.env.PATH ?? "",
      PORT: "0",
      LIAISON_DRAIN_SECONDS: "0",
      LIAISON_DATA_DIR: path.join(directory, "data"),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  return await new Promise((resolve, reject) => {
    server.once("exit", () => reject(new Error(`the server ended: ${output}`)));
    server.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const url = /Liaison is ready at (\S+)/.exec(output)?.[1];
      const [, workspace = "", email = "", password = ""] =
        /workspace (\S+), e-mail (\S+), password (\S+)/.exec(output) ?? [];
      if (url !== undefined) resolve({ server, url, signIn: { workspace, email, password } });
    });
  });
}
