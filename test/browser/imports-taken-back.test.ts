import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { startWorker } from "../../src/jobs/run-jobs.ts";
import { jobKinds } from "../../src/worker.ts";
import { startServer } from "../harness.ts";
import { signedIn } from "../web/visitor.ts";
import { violationsOf } from "./accessibility.ts";
import { openPage } from "./browser.ts";

const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);

const CSV = Buffer.from("name,tax_id,status\nAcme,RO1,active\nOld,RO2,active\nWrong,,nonsense\n");

/** Runs jobs until it is to stop. */
function work(): () => Promise<void> {
  const stop = new AbortController();
  const worker = startWorker(server.deps, jobKinds, { stop: stop.signal, pollMs: 20 });
  return async () => {
    stop.abort();
    await worker.ended;
  };
}

let stopWork: (() => Promise<void>) | null = null;
after(async () => await stopWork?.());

async function isFit(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violationsOf(page), []);
  }
  const [content, window] = await page.evaluate<[number, number]>(
    "[document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]",
  );
  assert.ok(content <= window, `scrolls sideways: ${content} of ${window} px`);
}

for (const javaScriptEnabled of [true, false]) {
  for (const width of [1280, 360]) {
    test(`somebody imports a file and takes it back, ${width} px wide, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      const name = `Old ${width} ${String(javaScriptEnabled)}`;
      await server.sql("delete from companies where tenant_id = $1", [tenant.id]);
      await tenant.post("/api/v1/companies", { name, tax_id: "RO2" });
      const page = await openPage(server, { as: member, width, javaScriptEnabled });
      // The rules are looked at by a script.
      const look = async () => (javaScriptEnabled ? await isFit(page) : undefined);
      await page.goto("/imports");
      await page.locator("a[href='/imports/new']").click();
      await look();
      await page.locator("#kind").selectOption("companies");
      await page.locator("#file").setInputFiles({ name: "firme.csv", mimeType: "text/csv", buffer: CSV });
      await page.locator("form.record button.main").click();
      // Nobody works yet: the page says that it is under way, and goes on by itself once somebody does.
      await page.locator("[data-refresh]").waitFor();
      await look();
      stopWork = work();
      await page.locator("form[action$='/start'] button").waitFor();
      await page.getByText("creates 1 company and changes 1").waitFor();
      await page.getByText("Status is one of Active").waitFor();
      // The word can be mapped, and the cell corrected, without a script too.
      await page.getByLabel("Status: “nonsense”").waitFor();
      assert.equal(await page.getByRole("textbox", { name: "Status" }).inputValue(), "nonsense");
      await look();
      await page.locator("form[action$='/start'] button").click();
      await page.locator("a[href$='/undo']").waitFor();
      await look();
      await page.locator("a[href$='/undo']").click();
      await page.getByText("This deletes 1 company and restores 1.").waitFor();
      await look();
      await page.locator("form[action$='/undo'] button").click();
      await page.getByText("Undone", { exact: true }).first().waitFor();
      await look();
      await stopWork();
      stopWork = null;
      const { data } = (await tenant.get("/api/v1/companies")).body;
      assert.deepEqual(
        data.map((company: { name: string }) => company.name),
        [name],
      );
    });
  }
}
