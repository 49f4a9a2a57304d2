import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { FilePieces } from "../../../src/exchange/imports/reading/workbook/file-pieces.ts";
import { writeSheet } from "../../../src/exchange/imports/reading/workbook/sheet-rows.ts";
import { openWorkbook } from "../../../src/exchange/imports/reading/workbook/workbook.ts";
import { FileRefusal } from "../../../src/exchange/imports/reasons.ts";
import { zip } from "./workbooks.ts";

export const rest = async () => {};

/** A file as it is stored, in pieces. They are odd, so that parts of the archive begin and end within them. */
export async function opened(file: Buffer) {
  const size = file.length > 100_000 ? 65_536 : 37;
  const pieces = Array.from({ length: Math.ceil(file.length / size) }, (_, at) =>
    file.subarray(at * size, (at + 1) * size),
  );
  return await openWorkbook(new FilePieces(pieces), rest);
}

/** Deflated zeros or blanks of any size, made without having them in memory. */
export function bomb(head: string, filler: string, megabytes: number, tail: string) {
  const block = deflateRawSync(
    Buffer.concat([Buffer.from(head), Buffer.alloc(megabytes * 1024 * 1024, filler), Buffer.from(tail)]),
  );
  return { content: block, size: 1 };
}

export const filled = (name: string, part: string | Buffer | ReturnType<typeof bomb>) => {
  const parts: Record<string, string | Buffer | ReturnType<typeof bomb>> = {
    "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/worksheets/sheet1.xml": '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>',
  };
  return zip({ ...parts, [name]: part });
};

export const SHEET = "xl/worksheets/sheet1.xml";

/** A hostile file, and the code of its refusal. */
type Hostile = [what: string, file: () => Buffer, code: string];

/** Bounds of a refusal: much more than it takes, much less than without the limits. Seconds are of the processor. */
export const MOST_SECONDS = 30;
const MOST_MEMORY = 500 * 1024 * 1024;

/** Tests that files are refused. */
export function testRefusals(files: readonly Hostile[]): void {
  for (const [what, file, code] of files)
    test(`${what} is refused in bounded time and memory`, async () => {
      const bytes = file();
      const [began, before] = [process.cpuUsage(), process.memoryUsage().rss];
      // What is written is dropped: an import stores it within its quota.
      const read = async () => await writeSheet(await opened(bytes), { sheet: 0, leavesHidden: false }, rest, rest);
      await assert.rejects(read, (error) => error instanceof FileRefusal && error.reason.code === code);
      const { user, system } = process.cpuUsage(began);
      const seconds = (user + system) / 1_000_000;
      assert.ok(seconds < MOST_SECONDS, `${seconds} s`);
      const grown = process.memoryUsage().rss - before;
      assert.ok(grown < MOST_MEMORY, `${grown} bytes`);
    });
}
