import fs from "node:fs";
import path from "node:path";
import { after, afterEach, test } from "node:test";
import { pathToFileURL } from "node:url";

type Hook = () => void | Promise<void>;

/** Null in a process that runs one test file. */
let hooks: { afterTest: Hook[]; afterFile: Hook[]; afterAll: Hook[] } | null = null;

/** Of all the files of an entry, and of one of them, on a machine that does other work too. */
const [TIMEOUT_MS, TIMEOUT_OF_ONE_MS] = [3_600_000, 1_200_000];

/**
 * Runs the test files of an entry in this process, one after the other. They load the program once, which is half of
 * what most of them take. Each is a test of its own, at the end of which what it has set up is gone; and each can be
 * run alone.
 *
 * @param entry the file that calls this: `together.ts` in a folder, or `pages.together.ts` in test/
 * @param each called after each file
 */
export async function runTogether(
  entry: string,
  files = filesOf(entry),
  each: (file: string) => Promise<void> = async () => {},
): Promise<void> {
  const running = (hooks = { afterTest: [] as Hook[], afterFile: [] as Hook[], afterAll: [] as Hook[] });
  await test(path.relative(import.meta.dirname, entry), { timeout: TIMEOUT_MS }, async (all) => {
    all.after(async () => await run(running.afterAll));
    for (const file of files) {
      await test(path.relative(path.dirname(entry), file), { timeout: TIMEOUT_OF_ONE_MS }, async (own) => {
        own.after(async () => await run(running.afterFile));
        own.afterEach(async () => await run(running.afterTest));
        await import(pathToFileURL(file).href);
      });
      await each(file);
    }
  });
}

/** Begun first, so that no processor waits at the end for one of them. */
const LONGEST = ["test/pages.together.ts", "test/api.together.ts"];
const LONGEST_SLOW = [
  "test/failure/texts-at-every-page.slow.ts",
  "test/failure/expanding.slow.ts",
  "test/replay/beside-last-release.slow.ts",
  "test/doors/unread.slow.ts",
];

/**
 * What npm test runs: entries, which run several test files in one process, and the files that run alone. Likewise
 * those of npm run test:slow, of which the entries and the longest are first.
 */
export function testFiles(): { entries: string[]; alone: string[]; slow: string[] } {
  const root = path.dirname(import.meta.dirname);
  const filesNamed = (pattern: string) =>
    fs
      .globSync(pattern, { cwd: root })
      .map((name) => path.join(root, name))
      .toSorted();
  const longest = LONGEST.map((name) => path.join(root, name));
  const entries = [...new Set([...longest, ...filesNamed("test/{*.,*/**/}together.ts")])];
  const together = new Set(entries.flatMap(filesOf));
  const alone = filesNamed("test/**/*.test.ts").filter((file) => !together.has(file));
  const slowEntries = filesNamed("test/{*.,*/**/}together.slow.ts");
  const slowFirst = [...slowEntries, ...LONGEST_SLOW.map((name) => path.join(root, name))];
  const begun = new Set([...slowFirst, ...slowEntries.flatMap(filesOf)]);
  const slowAlone = filesNamed("test/**/*.slow.ts").filter((file) => !begun.has(file));
  return { entries, alone, slow: [...slowFirst, ...slowAlone] };
}

/**
 * Of `together.ts` the test files beside it, and of `together.slow.ts` the slow ones; of `pages.together.ts` and
 * `pages.together.slow.ts` those of every folder pages/ one level below that has no entry of its own.
 */
export function filesOf(entry: string): string[] {
  const root = path.dirname(entry);
  const [, folders, slow] = /^(?:([\w-]+)\.)?together(\.slow)?\.ts$/.exec(path.basename(entry)) ?? [];
  const own = `*${slow ?? ".test"}.ts`;
  const files = fs
    .globSync(folders === undefined ? own : `*/${folders}/${own}`, { cwd: root })
    .toSorted()
    .map((name) => path.join(root, name))
    .filter((file) => !isEntry(file));
  if (folders === undefined) return files;
  return files.filter((file) => !fs.existsSync(path.join(path.dirname(file), `together${slow ?? ""}.ts`)));
}

/** Whether a file runs others. */
export function isEntry(file: string): boolean {
  return /\btogether(?:\.slow)?\.ts$/.test(file);
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
