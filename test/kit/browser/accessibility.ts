import axe, { type AxeResults, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/**
 * Everything that keeps somebody from using the page, as axe-core finds it.
 * @param rules all of axe's without them; what a page looks like in other colours needs only those about colours
 */
export async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ["violations"],
    ...(rules && { runOnly: { type: "rule", values: rules } }),
  };
  const isThere = await page.evaluate<boolean>("typeof axe === 'object'");
  if (!isThere) {
    // The page that is open, and those that the window goes to: half a megabyte is sent once.
    await page.addInitScript(axe.source);
    await page.evaluate(axe.source);
  }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary ?? ""}`),
  );
}
