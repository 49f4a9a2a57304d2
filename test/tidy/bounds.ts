import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { boundedRules } from "./offences.ts";

/**
 * Some rules were made when hundreds of places broke them. bounds.json has their number for each rule and file. It may
 * only shrink: more fail, and so does a bound above the real number, since it would let new ones in.
 *
 * As a program (`npm run tidy-bounds`) this lowers the bounds to the real numbers, and fails where there are more. With
 * `--raise` it takes those as well: after a file was renamed, or text was merged that is older than the rules.
 */

type Rule = keyof typeof boundedRules;
type Bounds = Record<Rule, Record<string, number>>;

const FILE = path.join(import.meta.dirname, "bounds.json");
const COMMAND = "npm run tidy-bounds";

export function assertBounded(rule: Rule): void {
  const bounds = readBounds()[rule];
  const offences = boundedRules[rule]();
  const complaints = [...new Set([...Object.keys(bounds), ...offences.keys()])].flatMap((name) => {
    const [found, bound] = [offences.get(name) ?? [], bounds[name] ?? 0];
    if (found.length < bound) {
      return [`${name} has ${found.length} of the ${bound} that test/tidy/bounds.json allows: ${COMMAND} lowers it`];
    }
    if (found.length === bound) return [];
    const old = bound === 0 ? "" : `${bound} of these ${found.length} are old. `;
    return [...Map.groupBy(found, ({ mend }) => mend)].map(
      ([mend, places]) => `${name}: ${old}Line ${places.map(({ line }) => line).join(", ")}: ${mend}`,
    );
  });
  if (complaints.length > 0) complaints.push(`Only after a rename, or a merge of older text: ${COMMAND} -- --raise`);
  assert.deepEqual(complaints, []);
}

function readBounds(): Bounds {
  return JSON.parse(fs.readFileSync(FILE, "utf8")) as Bounds;
}

/** Answers whether every real number is now a bound. */
function writeBounds(mayRaise: boolean): boolean {
  // A merge may have left a file that nothing can read.
  const before = mayRaise ? null : readBounds();
  let hasMore = false;
  const boundsOf = (rule: Rule) => {
    const counts = [...boundedRules[rule]()].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return counts.flatMap(([name, { length }]) => {
      const bound = before === null ? length : Math.min(length, before[rule][name] ?? 0);
      hasMore ||= length > bound;
      return bound === 0 ? [] : [[name, bound] as const];
    });
  };
  const rules = Object.keys(boundedRules) as Rule[];
  const bounds = Object.fromEntries(rules.map((rule) => [rule, Object.fromEntries(boundsOf(rule))]));
  fs.writeFileSync(FILE, `${JSON.stringify(bounds, null, 2)}\n`);
  return !hasMore;
}

if (import.meta.main && !writeBounds(process.argv.includes("--raise"))) {
  console.error("Some files have more than their bound: npx node --test test/tidy/together.ts names the lines.");
  process.exitCode = 1;
}
