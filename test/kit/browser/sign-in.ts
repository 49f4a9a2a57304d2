import type { Page } from "playwright-core";
import { PASSWORD } from "../../doors/pages/visitor.ts";

/** Fills in the form that is shown, and presses Enter. */
export async function signIn(page: Page, workspace: string, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Workspace").fill(workspace);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
}
