import assert from "node:assert/strict";
import { test } from "node:test";
import { written } from "./checkout.ts";

test("the product imports none of its tests, its clients, the benchmark and the simulator, and these not each other", () => {
  const mayImport: Record<string, string[]> = {
    src: ["src"],
    test: ["test", "src", "clients", "wms-simulator", "lookup-simulator"],
    bench: ["bench", "src"],
    release: ["release"],
    // Somebody else's programs: what both would share, both could have wrong.
    clients: ["clients"],
    "wms-simulator": ["wms-simulator"],
    "lookup-simulator": ["lookup-simulator"],
  };
  const complaints = written.flatMap(({ name, imports }) => {
    const allowed = mayImport[name.split("/")[0] ?? ""] ?? [];
    return imports
      .filter((imported) => !allowed.includes(imported.split("/")[0] ?? ""))
      .map(
        (imported) => `${name} imports ${imported}: ${name.split("/")[0]}/ may import ${allowed.join(" and ")} only`,
      );
  });
  assert.deepEqual(complaints, []);
});
