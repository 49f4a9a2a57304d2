#!/usr/bin/env node
import nodeModule from "node:module";
import { fileURLToPath } from "node:url";

const OLDEST = 26;
if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  process.stderr.write(`Liaison runs on its own Node ${OLDEST}, and this is ${process.versions.node}: use npm run.\n`);
  process.exit(1);
}

// JavaScript, not TypeScript: the cache has all other files without their types. For this one, which comes before the
// cache, each process would load the module that removes types: 16 MB.
// A command starts in half the time without compilation. The cache is inside the installation, because anyone who can
// write to it can run code; if that is read-only, there is no cache.
nodeModule.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url)));
const { runProgram } = await import("./cli/program.ts");
await runProgram();
