import type { CsvHeader } from "../reading/header.ts";
import type { RecordKeys } from "../reading/rows.ts";
import { linesByKey } from "./lines-by-key.ts";

/** The line of an earlier row that means the same record; `isSeveral`: rows of several identities have the name. */
type Earlier = { line: number; isSeveral: boolean };

type Records = {
  earlier(keys: RecordKeys, line: number): Earlier | null;
  keep(keys: RecordKeys, line: number): void;
  /** Only the database refused the row. */
  refuse(line: number): void;
};

const recordsOfFiles = new WeakMap<CsvHeader, Records>();

/** The records that the rows of one reading of a file have written so far, in transactions that may be rolled back. */
export function recordsOf(header: CsvHeader): Records {
  return recordsOfFiles.getOrInsertComputed(header, newRecords);
}

function newRecords(): Records {
  const lines = linesByKey();
  const refused = new Set<number>();
  return {
    earlier({ asked }, line) {
      for (const key of asked) {
        const found = lines.get(lines.hashesOf(key));
        // A transaction that is tried again meets its own rows.
        if (found !== null && found.line < line && !refused.has(found.line))
          return { line: found.line, isSeveral: found.name === SEVERAL };
      }
      return null;
    },
    keep({ kept, identity = "" }, line) {
      const name = identity === "" ? 0 : Math.max(lines.hash(identity), SEVERAL + 1);
      for (const key of kept) {
        const hashes = lines.hashesOf(key);
        const before = lines.get(hashes);
        if (before === null || refused.has(before.line)) lines.set(hashes, line, name);
        else if (before.name !== name) lines.set(hashes, before.line, SEVERAL);
      }
    },
    refuse: (line) => void refused.add(line),
  };
}

/** In the place of the hash of an identity. */
const SEVERAL = 1;
