import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import { test } from "node:test";
import { startServer } from "../harness.ts";

const page = fs.readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
const server = await startServer();
const { token } = await server.createTenant();

test("a request is repeated as docs/api.md shows it", async () => {
  // The company that its chapters create first.
  const [first = ""] = examplesIn("One resource");
  await run(first);
  const examples = examplesIn("Repeating a request");
  assert.ok(examples.length >= 6);
  for (const example of examples) {
    const [, expected] = splitAt(example, "\n");
    assert.equal(withoutIds(await run(example)), withoutIds(expected), example);
  }
});

/** Each command of a chapter with what it answers. */
function examplesIn(chapter: string): string[] {
  const [, text] = splitAt(page, `## ${chapter}\n`);
  const [own = ""] = text.split("\n## ");
  const blocks = [...own.matchAll(/^```console\n(.*?)^```/gms)].map(([, block = ""]) => block);
  return blocks.flatMap((block) => block.split(/^\$ /m).slice(1)).map((example) => example.trim());
}

async function run(example: string): Promise<string> {
  const [command] = splitAt(example, "\n");
  const script = `api() { curl -s -H "Authorization: Bearer $TOKEN" "$@"; }; ${command}`;
  const env = { PATH: process.env.PATH ?? "", LIAISON: server.url, TOKEN: token };
  return await new Promise((resolve, reject) => {
    execFile("bash", ["-c", script], { env }, (error, stdout) =>
      error === null ? resolve(stdout.trim()) : reject(error),
    );
  });
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
}

function withoutIds(text: string): string {
  return text.replaceAll(/"id":\d+/g, '"id":0');
}
