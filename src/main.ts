#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// A command starts in half the time without compilation. The cache is inside the installation, because anyone who can
// write to it can run code; if that is read-only, there is no cache.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url)));
const { runProgram } = await import("./cli/program.ts");
await runProgram();
