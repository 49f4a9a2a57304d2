import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../harness.ts";
import { openPage } from "./browser.ts";

const server = await startServer();

test("the reference shows every operation, under its policy and from this server's files alone", async () => {
  const page = await openPage(server);
  await page.goto("/docs");
  await page.getByText("/api/v1/companies", { exact: true }).first().waitFor();
  const response = await page.request.get("/api/v1/openapi.json");
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  const shown = await page.locator(".opblock-summary-path").evaluateAll((all) => all.map((each) => each.textContent));
  // Break opportunities.
  const told = new Set(shown.map((path) => path.replaceAll("\u200b", "")));
  assert.deepEqual(told, new Set(Object.keys(paths)));
});
