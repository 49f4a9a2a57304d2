import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { production } from "./checkout.ts";

/** With more files in a folder nobody knows them all, and writes existing code again. */
const MOST_FILES = 30;
/** An endpoint or a page has a file of its own. Its reader finds it by its route, and knows none of its neighbours. */
const IS_ROUTED = /^export const \w+(?:Endpoint|Page)\b/m;

test(`no folder of src/ has more than ${MOST_FILES} files directly in it, its endpoints and pages counted apart`, () => {
  const folders = Map.groupBy(
    production,
    ({ name, text }) => `${path.dirname(name)}/ has # ${IS_ROUTED.test(text) ? "endpoints and pages" : "other files"}`,
  );
  const complaints = [...folders]
    .filter(([, files]) => files.length > MOST_FILES)
    .map(
      ([folder, files]) =>
        `${folder.replace("#", `${files.length}`)}: move those of one noun into a folder of its name, and name it in the map of ARCHITECTURE.md`,
    );
  assert.deepEqual(complaints, []);
});
