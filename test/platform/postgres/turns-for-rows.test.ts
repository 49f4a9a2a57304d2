import assert from "node:assert/strict";
import { test } from "node:test";
import { sizeOf, turnForRows } from "../../../src/platform/postgres/for-caller.ts";
import { asTenantId } from "../../../src/platform/postgres/tenant-id.ts";
import { NOBODY } from "../../../src/platform/sharing/caller.ts";
import { Presence } from "../../../src/platform/sharing/presence.ts";
import { Time } from "../../../src/platform/sharing/time.ts";

const [one, other] = [asTenantId("1"), asTenantId("2")];

for (const [name, answers] of [
  ["many rows", [Array.from({ length: 1_000 }, () => ["1"])]],
  ["long rows", [[["x".repeat(2 ** 19)], [null, "x".repeat(2 ** 19)]]]],
] as const) {
  test(`${name} of a tenant wait for those of others, and for nothing while it is alone`, async () => {
    const presence = new Presence();
    const time = new Time(presence);
    const turn = (tenant = one) => turnForRows(time, tenant, answers as unknown as string[][][], NOBODY);
    presence.note(one);
    assert.deepEqual([turn(), turn(), turn()], [null, null, null]);
    presence.note(other);
    assert.equal(turn(), null, "its first turn");
    const next = turn();
    assert.notEqual(next, null);
    await next;
  });
}

test("the size of answers is that of all their rows", () => {
  assert.deepEqual(sizeOf([[["ab", null], ["c"]], [], [["de", "f"]]]), { rows: 3, characters: 6 });
});
