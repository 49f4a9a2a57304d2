#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// A command starts in half the time when nothing has to be compiled. Inside the installation, because whoever can write to
// the cache can run code; where that is read-only, there is no cache.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url)));
const { runProgram } = await import("./cli/program.ts");
await runProgram();
