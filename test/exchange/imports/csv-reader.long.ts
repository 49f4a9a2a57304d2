import { test } from "node:test";
import { fc } from "../../properties.ts";
import { assertReadWell, hostileFiles } from "./hostile-files.ts";

test("files of up to 50 MB keep what the small ones keep", { timeout: 3_600_000 }, async () => {
  await fc.assert(fc.asyncProperty(hostileFiles(50 * 1024 * 1024), assertReadWell), { numRuns: 60 });
});
