import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { startServer } from "../../harness.ts";
import { CLIENT, folderOfSamples, ROOT, samplesOfReference, testSamples } from "./reference-samples.ts";

const server = await startServer();
const found = await samplesOfReference(server);
const run = promisify(execFile);

testSamples(server, found);

test("the samples in TypeScript compile strictly with the client's types", async () => {
  const folder = folderOfSamples();
  for (const [index, { samples }] of found.entries()) {
    fs.writeFileSync(path.join(folder, `typed-${index}.ts`), samples.get("TypeScript") ?? "");
  }
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "esnext",
    allowImportingTsExtensions: true,
    types: ["node"],
    typeRoots: [path.join(ROOT, "node_modules/@types")],
    paths: { "liaison-client": [CLIENT] },
  };
  fs.writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
  fs.writeFileSync(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: [...found.keys()].map((index) => `typed-${index}.ts`) }),
  );
  await run(path.join(ROOT, "node_modules/.bin/tsc"), ["--project", folder]).catch(({ stdout }: { stdout: string }) => {
    assert.fail(stdout);
  });
});
