import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "./checkout.ts";

test("the image starts the server with the same command as npm start", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: { start: string } };
  const command = /^CMD (\[.+\])$/m.exec(read("Dockerfile"))?.[1] ?? "[]";
  assert.equal(`exec ${(JSON.parse(command) as string[]).join(" ")}`, scripts.start, "mend CMD in the Dockerfile");
});
