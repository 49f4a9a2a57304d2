import { fork, type ChildProcess } from "node:child_process";
import path from "node:path";
import { afterAll } from "./together.ts";

export type Finished = { code: number | NodeJS.Signals | null; stdout: string; stderr: string };

/** A command with its whole environment. */
export type HostedCommand = { argv: readonly string[]; environment: Record<string, string>; input: string };

let host: ChildProcess | null = null;
let last: Promise<unknown> = Promise.resolve();

afterAll(() => {
  host?.kill("SIGKILL");
  host = null;
});

/**
 * Runs a command to its end, in a process that runs all such commands of this one. A start of its own is most of
 * the processor time of a command.
 */
export async function runHosted(command: HostedCommand): Promise<Finished> {
  const before = last;
  const { promise, resolve } = Promise.withResolvers<void>();
  last = promise;
  await before;
  try {
    return await ask(command);
  } finally {
    resolve();
  }
}

async function ask(command: HostedCommand): Promise<Finished> {
  const running = (host ??= fork(path.join(import.meta.dirname, "command-host.ts"), {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  }));
  return await new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`the host of commands ended at liaison ${command.argv.join(" ")}`));
    running.once("exit", ended);
    running.once("message", (finished: Finished) => {
      running.off("exit", ended);
      resolve(finished);
    });
    running.send(command);
  });
}
