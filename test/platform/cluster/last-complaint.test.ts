import assert from "node:assert/strict";
import { test } from "node:test";
import { complaintIn } from "../../../src/platform/cluster/last-complaint.ts";

const full = `2026-11-22 16:02:17.804 UTC [14] LOG:  starting PostgreSQL 18.4
2026-11-22 16:02:17.810 UTC [15] FATAL:  could not write to file "pg_wal/xlogtemp.15": No space left on device
`;

test("the reason of a start that failed is the server's, and not the answer to our question whether it is up", () => {
  const answers = ["is not yet accepting connections", "is starting up", "is shutting down", "is in recovery mode"];
  for (const answer of answers) {
    const log = `${full}2026-11-22 16:02:17.820 UTC [16] FATAL:  the database system ${answer}
2026-11-22 16:02:17.830 UTC [14] LOG:  aborting startup due to startup process failure
2026-11-22 16:02:17.840 UTC [14] LOG:  database system is shut down
`;
    assert.equal(complaintIn(log), 'could not write to file "pg_wal/xlogtemp.15": No space left on device');
  }
});

test("a log without a complaint, or whose last line is cut, has none", () => {
  assert.equal(complaintIn(""), null);
  assert.equal(complaintIn("2026-11-22 16:02:21.985 UTC [14851] FAT"), null);
  assert.equal(complaintIn("2026-11-22 16:02:21.985 UTC [14851] LOG:  database system is shut down\n"), null);
});
