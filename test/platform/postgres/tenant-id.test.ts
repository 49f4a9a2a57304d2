import assert from "node:assert/strict";
import { test } from "node:test";
import { asTenantId, INSTALLATION } from "../../../src/platform/postgres/tenant-id.ts";

test("no text but an id, or the installation's, becomes part of the statement that sets the tenant", () => {
  for (const id of ["1", "9223372036854775807", INSTALLATION]) assert.equal(asTenantId(id), id);
  for (const id of ["", "00", "01", "-1", "+1", " 1", "1 ", "1.0", "9223372036854775808", "1'; reset role; --"]) {
    assert.throws(() => asTenantId(id), TypeError, id);
  }
});
