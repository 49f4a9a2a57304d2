import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { LOADED, wasUsed, type Ran } from "./coverage.ts";
import type { Mutant } from "./mutants.ts";
import type { Room } from "./rooms.ts";
import type { Outcome } from "./trial.ts";

/** A mutant that was tried. `test` and `by`: the file and the test that noticed it. */
export type Result = Mutant & { line: number; outcome: Outcome; test: string; by: string; seconds: number };

/** A test file without a mutant: its seconds, and what it runs of the room's sources; undefined: it may run all. */
export type Baseline = { seconds: number; ran?: Ran | undefined };

/** Baselines and results in a folder, which later runs use too. */
export class Kept {
  readonly results: Result[];
  readonly #root: string;
  readonly #folder: string;

  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
    fs.mkdirSync(this.#folder, { recursive: true });
    const text = fs.existsSync(this.#file) ? fs.readFileSync(this.#file, "utf8") : "";
    this.results = text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Result]));
  }

  get #file(): string {
    return path.join(this.#folder, "results.ndjson");
  }

  note(result: Result): void {
    this.results.push(result);
    fs.appendFileSync(this.#file, `${JSON.stringify(result)}\n`);
  }

  resultOf({ file, at, from, to }: Mutant): Result | undefined {
    return this.results.find((one) => one.file === file && one.at === at && one.from === from && one.to === to);
  }

  resultsOf(mutants: readonly Mutant[]): Result[] {
    return mutants.flatMap((mutant) => this.resultOf(mutant) ?? []);
  }

  /** How many mutants of a source file a test file noticed. */
  kills(source: string, test: string): number {
    return this.results.filter((one) => one.file === source && one.test === test).length;
  }

  /** What is known of files as they are now, with the room's sources as they are now. */
  baselinesOf(room: Room, files: readonly string[]): Map<string, Baseline> {
    const stored = this.#stored(room);
    const known = files.map((name): [string, Baseline | undefined] => [name, stored[this.#digest(room, name)]]);
    return new Map(known.flatMap(([name, own]) => (own === undefined ? [] : [[name, own]])));
  }

  keepBaselines(room: Room, known: Map<string, Baseline>): void {
    const entries = [...known].map(([name, { seconds, ran }]): [string, Baseline] => {
      const used = Object.entries(ran ?? {}).filter(([, own]) => wasUsed(own) || name === LOADED);
      return [this.#digest(room, name), { seconds, ran: ran && Object.fromEntries(used) }];
    });
    fs.writeFileSync(this.#fileOf(room), JSON.stringify({ ...this.#stored(room), ...Object.fromEntries(entries) }));
  }

  #stored(room: Room): Record<string, Baseline> {
    const file = this.#fileOf(room);
    return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, Baseline>) : {};
  }

  #fileOf({ name }: Room): string {
    return path.join(this.#folder, `${name.replaceAll("/", "+")}.json`);
  }

  #digest({ sources }: Room, file: string): string {
    const hash = createHash("sha256").update(file);
    for (const each of [...sources, file]) {
      if (each !== LOADED) hash.update(fs.readFileSync(path.join(this.#root, each)));
    }
    return hash.digest("base64url");
  }
}

/** Standard deviations to both sides of an interval of 95%. */
const Z = 1.96;

/** The share of mutants that were noticed, of those that a program can have, with its interval of 95% (Wilson's). */
export function score(results: readonly Result[]): string {
  const counted = (outcome: Outcome) => results.filter((one) => one.outcome === outcome).length;
  const [killed, slow, survived] = [counted("killed"), counted("slow"), counted("survived")];
  const all = killed + slow + survived;
  const share = (killed + slow) / all;
  const half = Z * Math.sqrt((share * (1 - share)) / all + (Z / (2 * all)) ** 2);
  const bound = (side: number) => percent((share + Z ** 2 / (2 * all) + side * half) / (1 + Z ** 2 / all));
  return [
    `${killed + slow} of ${all} noticed (${percent(share)}, 95% interval ${bound(-1)} to ${bound(1)}):`,
    `${killed} by a failure, ${slow} by time or memory, ${survived} survived;`,
    `more were refused: ${counted("types")} by the types, ${counted("invalid")} by PostgreSQL`,
  ].join(" ");
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}
