import { poll, type Program } from "../../../program.ts";

/** A program that begins again whenever it was killed, as an operator's supervisor has it. */
export type Part<P extends Program = Program> = {
  /** The latest one, once it is ready. */
  current(): Promise<P>;
  /** Kills it once it is ready; its successor is on its way then. */
  kill: () => Promise<void>;
};

const MOST_BEGINNINGS = 10;

/** @param begin resolves when the program is ready */
export function createPart<P extends Program>(begin: () => Promise<P>): Part<P> {
  let current = insist(begin);
  return {
    current: async () => await current,
    async kill() {
      const { process, ended } = await current;
      process.kill("SIGKILL");
      await ended;
      current = insist(begin);
    },
  };
}

/** One that ends while it begins, because its database was killed just then, begins again. */
function insist<P>(begin: () => Promise<P>, beginnings = MOST_BEGINNINGS): Promise<P> {
  const begun = begin().catch(async (error: unknown) => {
    if (beginnings <= 1) throw error;
    return await insist(begin, beginnings - 1);
  });
  // The part that needs the program gets the error.
  begun.catch(() => {});
  return begun;
}

/** Resolves with a program once it has said that it is ready. */
export async function untilReady(program: Program): Promise<Program> {
  await poll("a worker's start", () => {
    if (program.process.exitCode !== null) throw new Error(`it ended: ${program.complaints()}`);
    return program.output().includes("ready");
  });
  return program;
}
