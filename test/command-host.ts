import fs from "node:fs";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import v8 from "node:v8";
import vm from "node:vm";
import { runProgram } from "../src/cli/program.ts";
import type { HostedCommand } from "./hosted-commands.ts";

/** Runs commands one after the other in this process, each in its own environment, and returns their output. */

/** As an end of the process: the rest of the command does not run. */
class Ended extends Error {}

const MAIN = fileURLToPath(new URL("../src/main.js", import.meta.url));
const STANDARD_ERROR = 2;
let [stdout, stderr] = ["", ""];

process.stdout.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
  stdout += Buffer.from(chunk as Uint8Array).toString();
  const written = rest.at(-1);
  if (typeof written === "function") queueMicrotask(written as () => void);
  return true;
};
process.stderr.write = (chunk: string | Uint8Array) => {
  stderr += Buffer.from(chunk as Uint8Array).toString();
  return true;
};
// The log has the descriptor.
const write = fs.write;
fs.write = ((fd: number, buffer: Buffer, ...rest: unknown[]) => {
  if (fd !== STANDARD_ERROR) return (write as (...all: unknown[]) => void)(fd, buffer, ...rest);
  stderr += buffer.toString();
  (rest.at(-1) as (error: null, count: number) => void)(null, buffer.length);
}) as typeof fs.write;
process.exit = (code) => {
  process.exitCode = code ?? process.exitCode ?? 0;
  throw new Ended();
};

v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc") as () => void;

process.on("message", (command: HostedCommand) => void run(command));

async function run({ argv, environment, input }: HostedCommand): Promise<void> {
  [stdout, stderr] = ["", ""];
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.argv = [process.execPath, MAIN, ...argv];
  process.exitCode = undefined;
  Object.defineProperty(process, "stdin", {
    configurable: true,
    value: Readable.from(input === "" ? [] : [Buffer.from(input)]),
  });
  try {
    await runProgram();
  } catch (error) {
    if (!(error instanceof Ended)) stderr += String((error as Error).stack);
  }
  for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
  // Node ends a process with a file handle that nobody closed once it collects that.
  collectGarbage();
  await setImmediate();
  process.send?.({ code: process.exitCode ?? 0, stdout, stderr });
}
