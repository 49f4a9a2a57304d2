import fs from "node:fs";
import path from "node:path";
import { after, afterEach, test } from "node:test";
import { pathToFileURL } from "node:url";

type Hook = () => void | Promise<void>;

/** Null in a process that runs one test file. */
let hooks: { afterTest: Hook[]; afterFile: Hook[]; afterAll: Hook[] } | null = null;

/** Of all the files of a folder, and of one of them, under load. */
const [TIMEOUT_MS, TIMEOUT_OF_ONE_MS] = [1_800_000, 600_000];

/**
 * Runs the test files of a folder in this process, one after the other. They load the program once, which is half of
 * what most of them take. Each is a test of its own, at the end of which what it has set up is gone; and each can be
 * run alone.
 */
export async function runTogether(folder: string): Promise<void> {
  const running = (hooks = { afterTest: [] as Hook[], afterFile: [] as Hook[], afterAll: [] as Hook[] });
  const files = fs.readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
  await test(path.basename(folder), { timeout: TIMEOUT_MS }, async (all) => {
    all.after(async () => await run(running.afterAll));
    for (const file of files.toSorted()) {
      await test(file, { timeout: TIMEOUT_OF_ONE_MS }, async (each) => {
        each.after(async () => await run(running.afterFile));
        each.afterEach(async () => await run(running.afterTest));
        await import(pathToFileURL(path.join(folder, file)).href);
      });
    }
  });
}

async function run(all: readonly Hook[]): Promise<void> {
  for (const hook of all) await hook();
}

/** As afterEach() does, for a module that several files load: of those that run together it is loaded by the first. */
export function afterEachTest(hook: Hook): void {
  if (hooks === null) afterEach(hook);
  else hooks.afterTest.push(hook);
}

/** As after() does, likewise. */
export function afterFile(hook: Hook): void {
  if (hooks === null) after(hook);
  else hooks.afterFile.push(hook);
}

/** At the end of what a process runs. */
export function afterAll(hook: Hook): void {
  if (hooks === null) after(hook);
  else hooks.afterAll.push(hook);
}
