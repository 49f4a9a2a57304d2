import fs from "node:fs";
import path from "node:path";
import { isEntry } from "./together.ts";

/** As Node reports a test; its types do not know all of it yet. */
type TestEvent = {
  name: string;
  nesting: number;
  testId?: number | undefined;
  parentId?: number | undefined;
  /** The file that its process runs. */
  entryFile?: string | undefined;
  skip?: string | boolean | undefined;
  todo?: string | boolean | undefined;
  details: { duration_ms: number; error?: unknown };
};

const SLOWEST = 10;

/** Counts the tests of a run and the time of each file. A file, or a test with tests inside, is no test of its own. */
export class Outcome {
  readonly #begun = performance.now();
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };
  /** Milliseconds. */
  readonly #files = new Map<string, number>();
  /** Tests with tests inside. These are reported first. */
  readonly #enclosing = new Set<string>();

  note(event: TestEvent, result: "passed" | "failed"): void {
    const { name, nesting, testId, parentId, entryFile = "", skip, todo, details } = event;
    this.#enclosing.add(`${entryFile} ${parentId}`);
    if (nesting === 1 && isEntry(entryFile))
      this.#files.set(path.join(path.dirname(entryFile), name), details.duration_ms);
    const { failureType } = (details.error ?? {}) as { failureType?: string };
    const isEnclosing = this.#enclosing.has(`${entryFile} ${testId}`);
    if (isEnclosing && (result === "passed" || failureType === "subtestsFailed")) return;
    this.#counts[isSet(skip) || isSet(todo) ? "skipped" : result]++;
  }

  /** The end of a file that ran alone. */
  noteFile({ file, duration_ms }: { file?: string | undefined; duration_ms: number }): void {
    if (file !== undefined && !isEntry(file)) this.#files.set(file, duration_ms);
  }

  slowest(): string {
    const files = [...this.#files].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST);
    const lines = files.map(([file, ms]) => `${(ms / 1_000).toFixed(1).padStart(8)} s  ${path.relative("", file)}`);
    return ["The slowest files:", ...lines].join("\n");
  }

  line(): string {
    const { passed, failed, skipped } = this.#counts;
    const processor = processorSeconds();
    const counts = `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
    const time = inMinutes((performance.now() - this.#begun) / 1_000);
    return `${counts} in ${time}${processor === null ? "" : ` (${inMinutes(processor)} of processor time)`}`;
  }
}

function isSet(flag: string | boolean | undefined): boolean {
  return flag !== undefined && flag !== false;
}

function inMinutes(seconds: number): string {
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

const TICKS_OF_SECOND = 100;

/** Of this process and of all those that it or they have waited for, PostgreSQL among them. Null except on Linux. */
function processorSeconds(): number | null {
  if (!fs.existsSync("/proc/self/stat")) return null;
  const stat = fs.readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS_OF_SECOND;
}
