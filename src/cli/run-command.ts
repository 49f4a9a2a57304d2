import type { Command } from "commander";
import type { Config } from "../kit/config.ts";
import { openDeps, type OpenDeps, type OpenOptions } from "../kit/deps.ts";
import { createLogger, type Logger } from "../platform/logger.ts";
import { describeFailure } from "./failure.ts";
import { configOf, readsConfig } from "./settings.ts";

/** A command's output: with `--json` the one document, else the text. Null: the command has printed it itself. */
export type Output = { json: unknown; text: string } | null;

/** The arguments of a command, and the signal that ends it. */
export type Invocation = {
  /** The operands, in the order of the command's usage line. */
  operands: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
  /** Aborted by SIGINT or SIGTERM: a long command stops at the next point where no work is incomplete. */
  signal: AbortSignal;
};

export type Work = (deps: OpenDeps, invocation: Invocation) => Promise<Output>;

const FAILED = 1;
/** The exit code that a shell reports for a program that SIGINT ended. */
const INTERRUPTED = 130;
/** npm repeats the SIGINT that the terminal has already sent to us; only a later one is a second request. */
const REPEATED_SIGNAL_MS = 500;

/** Completes a command: adds `--json`, and runs the work between opening and closing everything it needs. */
export function runs(command: Command, work: Work, opening: Pick<OpenOptions, "makes"> = {}): Command {
  return runsAlone(command, async (config, logger, invocation) => {
    const deps = await openDeps(config, logger, { ...opening, stop: invocation.signal, print: console.error });
    if (deps.remark !== null) console.error(deps.remark);
    try {
      invocation.signal.throwIfAborted();
      return await work(deps, invocation);
    } finally {
      await deps.close();
    }
  });
}

/** The same for work that opens its own resources. */
export function runsAlone(
  command: Command,
  work: (config: Config, logger: Logger, invocation: Invocation) => Promise<Output>,
): Command {
  return readsConfig(command)
    .option("--json", "print one JSON document and nothing else")
    .action(async () => {
      const options: Invocation["options"] = command.opts();
      const signal = interruption();
      await reportingFailure(async () => {
        const config = configOf(command);
        const output = await work(config, warningsLogger(config), { operands: command.args, options, signal });
        if (output !== null) console.log(options.json === true ? JSON.stringify(output.json) : output.text);
      });
      if (signal.aborted && process.exitCode === FAILED) process.exitCode = INTERRUPTED;
    });
}

/** Runs the work, and turns every failure into one line on standard error and exit code 1, without a stack trace. */
export async function reportingFailure(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(describeFailure(error));
    process.exitCode = FAILED;
  }
}

/** Warnings and worse, on standard error: standard output is for results. */
function warningsLogger({ logLevel }: Config): Logger {
  const level = ["fatal", "error", "silent"].includes(logLevel) ? logLevel : "warn";
  return createLogger(level);
}

function interruption(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) return;
    controller.abort();
    setTimeout(() => {
      for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => process.exit(INTERRUPTED));
    }, REPEATED_SIGNAL_MS).unref();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return controller.signal;
}
