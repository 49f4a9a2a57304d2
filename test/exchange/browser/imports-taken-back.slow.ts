import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { startWorker } from "../../../src/kit/jobs/run-jobs.ts";
import { jobKinds } from "../../../src/worker.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";

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
      await tenant.post("/api/v1/companies", { name: "Acme SRL", city: "Cluj" });
      const page = await openPage(server, { as: member, width, javaScriptEnabled });
      // The rules are looked at by a script.
      const look = async () => (javaScriptEnabled ? await isFit(page) : undefined);
      await page.goto("/imports");
      await page.locator(".heading a[href='/imports/new']").click();
      await look();
      await page.locator("#file").setInputFiles({ name: "firme.csv", mimeType: "text/csv", buffer: CSV });
      await page.locator("form.record button.main").click();
      // Nobody named the kind, so the columns are shown with what the file looks like.
      await page.getByLabel("This looks like").waitFor();
      assert.equal(await page.locator("#kind").inputValue(), "companies");
      await look();
      await page.getByRole("button", { name: "Check the file" }).click();
      // Nobody works yet: the page says that it is under way, and goes on by itself once somebody does.
      await page.locator("[data-refresh]").waitFor();
      await look();
      stopWork = work();
      await page.locator("button[formaction$='/start']").waitFor();
      await page.getByRole("link", { name: "Create 1" }).click();
      await page.getByRole("cell", { name: "Acme", exact: true }).waitFor();
      await page.getByText("Looks like Acme SRL, Cluj: same name").waitFor();
      await look();
      await page.getByRole("link", { name: "Show these rows" }).click();
      assert.equal(await page.getByRole("combobox", { name: "row 2" }).inputValue(), "");
      await look();
      await page.getByRole("link", { name: "Change 1" }).click();
      await page.getByRole("link", { name: "Old" }).waitFor();
      await look();
      await page.getByRole("link", { name: "Skip 1" }).click();
      await page.getByText("Status is one of Active").waitFor();
      // The word can be mapped, and the cell corrected, without a script too.
      await page.getByLabel("Status: “nonsense”").waitFor();
      assert.equal(await page.getByRole("textbox", { name: "Status" }).inputValue(), "nonsense");
      await look();
      if (javaScriptEnabled) {
        // A choice that is not applied yet is checked before anything is written.
        await page.getByLabel("Status: “nonsense”").selectOption("active");
        await page.locator("button.main", { hasText: "Check again" }).waitFor();
        await page.getByLabel("Status: “nonsense”").selectOption("");
      }
      await page.getByRole("button", { name: "Import 2 companies" }).click();
      await page.locator("a[href$='/undo']").waitFor();
      await page.getByText("1 created, 1 changed, 1 skipped.").waitFor();
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
        [name, "Acme SRL"],
      );
    });
  }
}

/** Drops a file on an element as a browser does. */
async function drop(page: Page, at: string, name: string): Promise<void> {
  const data = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["Denumire;CUI\\nAcme SRL;RO9\\n"], ${JSON.stringify(name)}));
    return transfer;
  })()`);
  await page.dispatchEvent(at, "dragenter", { dataTransfer: data });
  await page.dispatchEvent(at, "drop", { dataTransfer: data });
}

test("a dropped file is chosen, one of another type is refused, and the kind changes without another upload", async () => {
  const page = await openPage(server, { as: member });
  await page.goto("/imports/new");
  const zone = page.locator(".drop");
  const box = await zone.boundingBox();
  assert.equal(box?.height, 160);
  await drop(page, ".drop", "firme.pdf");
  await page.getByText("firme.pdf is not an XLSX or CSV file.").waitFor();
  assert.equal(await page.locator("#file").inputValue(), "");
  await drop(page, "h1", "Firme.CSV");
  await zone.getByText("Firme.CSV", { exact: true }).waitFor();
  assert.equal(await page.getByText("firme.pdf").count(), 0);
  await isFit(page);
  // The file is there, so Enter goes on.
  await page.keyboard.press("Enter");
  await page.getByLabel("This looks like").waitFor();
  assert.deepEqual(await page.locator("#kind").inputValue(), "companies");
  await page.locator("#kind").selectOption("addresses");
  await page.getByLabel("Import as").waitFor();
  assert.equal(await page.locator("#kind").inputValue(), "addresses");
  await page.getByText("No column matched address. Choose one.").waitFor();
  // Meanwhile a colleague has the file checked as what it was.
  const path = new URL(page.url()).pathname;
  const colleague = await signedIn(server, tenant);
  await colleague.post(`${path}/kind`, { kind: "companies" });
  await colleague.post(`${path}/reading`, { "column.0": "name", "column.1": "tax_id" });
  await page.locator("#kind").selectOption("contacts");
  await page.getByText("Somebody has changed or started this import meanwhile. Look at it again.").waitFor();
  await page.locator("[data-refresh]").waitFor();
  await isFit(page);
  stopWork = work();
  await page.getByRole("button", { name: "Import 1 company" }).waitFor();
  await stopWork();
  stopWork = null;
});
