import assert from "node:assert/strict";
import { extractText } from "unpdf";
import type { Visitor } from "../../doors/pages/visitor.ts";

/** The text of each page of a PDF. Words that a narrow column cuts are parts of it. */
export async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  assert.equal(Buffer.from(pdf).toString("latin1", 0, 5), "%PDF-");
  const { text } = await extractText(new Uint8Array(pdf));
  return text.map((page) => page.replaceAll(/\s+/g, " "));
}

/** A file that a visitor downloads, as its bytes. */
export async function downloaded(server: { url: string }, { cookies }: Visitor, path: string) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await fetch(`${server.url}${path}`, { headers: { cookie }, redirect: "manual" });
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
}
