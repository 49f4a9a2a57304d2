import assert from "node:assert/strict";
import { test } from "node:test";
import { production } from "./checkout.ts";

test("what src/ exports has a name that means nothing else there", () => {
  const declared = /^export (?:async )?(?:type|interface|class|function\*?|const|let) (?:(\w+)|\{([^}]*)\} =)/gm;
  const exported = production.flatMap(({ name, text }) =>
    [...text.matchAll(declared)].flatMap(([, one, several = ""]) => {
      const all = one === undefined ? several.split(",").map((each) => each.replace(/.*:/, "").trim()) : [one];
      return all.filter((each) => each !== "").map((each) => ({ name, each }));
    }),
  );
  assert.ok(exported.length > 2_000, `${exported.length} names are read`);
  const complaints = [...Map.groupBy(exported, ({ each }) => each)].flatMap(([each, of]) => {
    const files = [...new Set(of.map(({ name }) => name))];
    return files.length === 1 ? [] : [`${each} is exported by ${files.join(" and ")}: say in one name which is meant`];
  });
  assert.deepEqual(complaints, []);
});
