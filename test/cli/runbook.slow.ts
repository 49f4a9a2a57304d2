import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createReader } from "../doors/api/console-answers.ts";
import { examplesOf, runCommand, wordsOf } from "../doors/api/console.ts";
import { demoToken, migratedDataDirectory, serveFrom } from "../failure/data-directory.ts";
import { start } from "../program.ts";

test("each command of docs/runbook.md prints what the page says, beside a new demo", async () => {
  const page = fs.readFileSync(path.join(import.meta.dirname, "../../docs/runbook.md"), "utf8");
  const examples = examplesOf(page);
  assert.equal(examples.length, page.match(/^\$ /gm)?.length, "each command is read as one");
  const environment = { LIAISON_DATA_DIR: await migratedDataDirectory() };
  const server = await serveFrom(environment.LIAISON_DATA_DIR);
  const variables = { TOKEN: demoToken(server) };
  const reader = createReader(server.url);
  for (const { command, printed } of examples) {
    const said = reader.translated(command);
    reader.compare(printed, said.startsWith("liaison ") ? await liaison(said) : await runCommand(said, variables));
  }

  async function liaison(command: string): Promise<string> {
    const [, ...argv] = wordsOf(command, variables);
    const { stdout, stderr } = await start(argv, environment).finished();
    return `${stdout}${stderr}`;
  }
});
