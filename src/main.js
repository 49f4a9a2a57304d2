#!/usr/bin/env node
import module from "node:module";
import { fileURLToPath } from "node:url";

// An older Node.js ends with errors that do not say why.
if (process.features.typescript === undefined) {
  const { version } = process;
  process.stderr.write(
    `Liaison needs Node.js 26, and this is ${version}. Start it by npm, or by bin/liaison of a release.\n`,
  );
  process.exit(1);
}
// JavaScript, not TypeScript: the cache has all other files without their types. For this one, which comes before the
// cache, each process would load the module that removes types: 16 MB.
// A command starts in half the time without compilation. The cache is inside the installation, because anyone who can
// write to it can run code; if that is read-only, there is no cache.
module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url)));
const { runProgram } = await import("./cli/program.ts");
await runProgram();
