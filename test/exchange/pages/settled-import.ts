import assert from "node:assert/strict";
import type { Member, PageAnswer } from "../../doors/pages/visitor.ts";
import { poll } from "../../program.ts";

/** The page of an import when its job has ended. @param language that the browser asks for */
export async function settledPage(member: Pick<Member, "get">, path: string, language = "en"): Promise<PageAnswer> {
  const headers = { "accept-language": language };
  let answer = await member.get(path, headers);
  await poll("the end of the import's job", async () => {
    if (answer.text.includes("data-refresh")) answer = await member.get(path, headers);
    return !answer.text.includes("data-refresh");
  });
  return answer;
}

/** The text of that page. */
export async function settled(...of: Parameters<typeof settledPage>): Promise<string> {
  return (await settledPage(...of)).text;
}

/** Imports a checked file, and returns the page of the outcome. Rows of one fiscal id count by the first of them. */
export async function startedPage(member: Member, path: string): Promise<PageAnswer> {
  if ((await member.post(`${path}/start`)).location === `${path}#words`) {
    await member.post(`${path}/corrections`, { "choice.tax_id": "keep" });
    await settledPage(member, path);
    assert.equal((await member.post(`${path}/start`)).location, path);
  }
  return await settledPage(member, path);
}
