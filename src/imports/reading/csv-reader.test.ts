import assert from "node:assert/strict";
import { test } from "node:test";
import { readCsv } from "./csv-reader.ts";

test("a quotation mark that is never closed is given up after a bounded number of lines, blank ones too", async () => {
  let chunksRead = 0;
  async function* file(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('name\n"open');
    for (; chunksRead < 20; chunksRead++) yield Buffer.alloc(1024 * 1024, "\n");
  }
  for await (const records of readCsv(file())) {
    const complaint = records.find((record) => "complaint" in record);
    if (complaint === undefined) continue;
    assert.equal(complaint.line, 2);
    assert.ok(chunksRead < 10, `${chunksRead} MiB were read`);
    return;
  }
  assert.fail("nothing was wrong with it");
});
