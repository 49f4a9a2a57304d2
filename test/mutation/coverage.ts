import fs from "node:fs";
import inspector from "node:inspector/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { runTogether } from "../together.ts";

/** A piece of a source file: its begin, its end, how often it was run, and whether it is the module itself. */
type Range = [begin: number, end: number, count: number, isModule: boolean];

/** What was run of each source file. */
export type Ran = Record<string, Range[]>;

type Script = {
  url: string;
  functions: { functionName: string; ranges: { startOffset: number; endOffset: number; count: number }[] }[];
};

/** The key of what the sources run when they are loaded: only the first test file that loads them would show it. */
export const LOADED = "loaded";

/** Runs test files in this process, and writes what each ran of the sources to a file. */
export async function runCovered(root: string, files: readonly string[], sources: string[], to: string): Promise<void> {
  const ran: Record<string, Ran> = {};
  const session = new inspector.Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const take = async () => ranOf(root, (await session.post("Profiler.takePreciseCoverage")).result, sources);
  for (const source of sources) await import(pathToFileURL(path.join(root, source)).href);
  ran[LOADED] = await take();
  const absolute = files.map((file) => path.join(root, file));
  await runTogether(path.join(root, "test/mutation/chosen.ts"), absolute, async (file) => {
    ran[path.relative(root, file)] = await take();
    fs.writeFileSync(to, JSON.stringify(ran));
  });
}

/** What the processes ran whose reports (NODE_V8_COVERAGE) are in a directory. */
export function ranByProcesses(root: string, directory: string, sources: readonly string[]): Ran {
  const reports = fs.readdirSync(directory).map((name) => fs.readFileSync(path.join(directory, name), "utf8"));
  const all: Ran = {};
  for (const report of reports) {
    const { result } = JSON.parse(report) as { result: Script[] };
    for (const [file, ranges] of Object.entries(ranOf(root, result, sources))) (all[file] ??= []).push(...ranges);
  }
  return all;
}

function ranOf(root: string, scripts: readonly Script[], sources: readonly string[]): Ran {
  const names = new Map(sources.map((source) => [pathToFileURL(path.join(root, source)).href, source]));
  const ran: Ran = {};
  for (const { url, functions } of scripts) {
    const source = names.get(url);
    if (source === undefined) continue;
    ran[source] = functions.flatMap(({ functionName, ranges }) =>
      ranges.map(({ startOffset, endOffset, count }, index): Range => {
        const isModule = functionName === "" && startOffset === 0 && index === 0;
        return [startOffset, endOffset, count, isModule];
      }),
    );
  }
  return ran;
}

/** Whether a place was run: the smallest piece around it decides. */
export function wasRun(ranges: readonly Range[] | undefined, at: number): boolean {
  const around = ranges?.filter(([begin, end]) => begin <= at && at < end) ?? [];
  const smallest = Math.min(...around.map(([begin, end]) => end - begin));
  return around.some(([begin, end, count]) => end - begin === smallest && count > 0);
}

/** Whether a function of a source file was called. */
export function wasUsed(ranges: readonly Range[] | undefined): boolean {
  return ranges?.some(([, , count, isModule]) => count > 0 && !isModule) ?? false;
}

/** What starts a process: a call of test/program.ts, or of Node.js. Tests on a cluster do it only there. */
const STARTING =
  /\bimport \{[^}]*\b(?:start|startAlone|runCommand|serve)\b[^}]*\} from "[^"]*program\.ts"|"node:child_process"/;

/** Whether a test file, or a test module that it imports, starts processes: what these run is not watched. */
export function startsProcesses(root: string, file: string, seen = new Set<string>()): boolean {
  if (seen.has(file) || !/^test\/(?!program\.ts$|citus\/)/.test(file)) return false;
  seen.add(file);
  const text = fs.readFileSync(path.join(root, file), "utf8");
  if (STARTING.test(text)) return true;
  const imported = [...text.matchAll(/^import (?!type )[^;]*? from "(\.[^"]*\.ts)"/gm)].map(([, to = ""]) =>
    path.posix.join(path.posix.dirname(file), to),
  );
  return imported.some((each) => startsProcesses(root, each, seen));
}
