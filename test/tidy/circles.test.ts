import assert from "node:assert/strict";
import { test } from "node:test";
import { production, roomOf, wingOf, written, type SourceFile } from "./checkout.ts";

test("no two rooms, nor loose files, of the wings import each other, however far around", () => {
  assertNoCircle(production, roomOf);
});

test("no two folders, nor loose files, of a room import each other, however far around", () => {
  const placeOf = (name: string) =>
    name
      .split("/")
      .slice(1, roomOf(name).split("/").length + 2)
      .join("/");
  // Those of platform/postgres/ know transactions/, and are known there.
  const files = production.filter(({ name }) => wingOf(name) !== "platform");
  for (const ofRoom of Map.groupBy(files, ({ name }) => roomOf(name)).values()) assertNoCircle(ofRoom, placeOf);
});

test("no file imports itself, however far around", () => {
  const files = new Map(written.map(({ name, imports }) => [name, new Set(imports)]));
  const cycle = findCycle(files);
  assert.equal(cycle, null, `${cycle?.join(" -> ")}: move what both need into a file of its own`);
});

/** Of places among the files; what these import of others does not count. */
function assertNoCircle(files: SourceFile[], placeOf: (name: string) => string): void {
  const places = new Map<string, Set<string>>(files.map(({ name }) => [placeOf(name), new Set()]));
  const reasons = new Map<string, string>();
  for (const { name, imports } of files) {
    for (const imported of imports) {
      const [from, to] = [placeOf(name), placeOf(imported)];
      if (from === to || !places.has(to)) continue;
      places.get(from)?.add(to);
      reasons.set(`${from} ${to}`, `${name} imports ${imported}`);
    }
  }
  const circle = findCycle(places) ?? [];
  const steps = circle.slice(1).map((to, index) => reasons.get(`${circle[index]} ${to}`));
  const mend =
    "one of these goes up. A child may import its parent's noun and queries, never the reverse; a type that both need " +
    "belongs to the lower one, and what several need to a place below them";
  assert.deepEqual(steps, [], mend);
}

function findCycle(graph: Map<string, Set<string>>): string[] | null {
  const done = new Set<string>();
  const visit = (node: string, trail: string[]): string[] | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle !== null) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== null) return cycle;
  }
  return null;
}
