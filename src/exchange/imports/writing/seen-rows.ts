import { coreOf } from "../../../customers/companies/alike-queries.ts";
import { shortened, trim } from "../../../platform/text.ts";
import { COMPANY_ID, COMPANY_NAME, COMPANY_TAX_ID } from "../columns/company-columns.ts";
import { folded } from "../columns/folded.ts";
import type { Kind } from "../kind.ts";
import type { CsvHeader } from "../reading/header.ts";
import { nameIn, SAID, type ImportRow } from "../reading/rows.ts";
import type { ImportReason } from "../reasons.ts";

/** The rows that one reading of a page's file has met: the lines of its records, and its total. */
export type Pass = {
  /** Why the row is skipped if an earlier one means the same record; otherwise null, and the row is remembered. */
  earlier(row: ImportRow): ImportReason | null;
  totalAt: number | null;
  /** The line of the header of another table: rows below it are not read. */
  tableAt: number | null;
};

/** Null for files that no page reads, and for changes of listed rows: their rows count one after the other. */
export function newPass(kind: Kind, header: CsvHeader): Pass | null {
  if (header.language === null || (header.idIndex !== null && !header.isOwnExport)) return null;
  const lines = linesByKey();
  return {
    totalAt: null,
    tableAt: null,
    earlier(row) {
      const { asked, kept, name = "" } = keysOf(kind, header, row);
      const hashes = asked.map(lines.hashesOf);
      for (const key of hashes) {
        const found = lines.get(key);
        if (found === null) continue;
        const isOther = name !== "" && found.name !== 0 && found.name !== lines.hash(name);
        return {
          code: "sameRow",
          line: found.line,
          ...(isOther && { shared: shortened(row.identity?.text ?? "", SAID) }),
        };
      }
      for (const key of kept === asked ? hashes : kept.map(lines.hashesOf)) lines.set(key, row.line, name);
      return null;
    },
  };
}

type Keys = {
  asked: readonly string[];
  kept: readonly string[];
  /** Rows of different names should have different identities. */
  name?: string;
};

/** The texts by which a row is known again. */
function keysOf(kind: Kind, { again }: CsvHeader, row: ImportRow): Keys {
  const { bulk, namedBy } = kind;
  const { input, identity } = row;
  const textOf = (field: string) => textIn(input[field]);
  const one = (...parts: string[]): Keys => {
    const key = [parts.join("\0")];
    return { asked: key, kept: key };
  };
  if (row.id !== null && row.id !== "") return one("id", row.id);
  if (identity !== null) {
    const { spellings } = bulk.identity ?? {};
    if (spellings === undefined) return one("=", identity.compared);
    const key = [`=\0${spellings.nameOf(identity.text)}`];
    return { asked: key, kept: key, name: folded(coreOf(textOf("name")) ?? "") };
  }
  if (bulk.identity === null && namedBy.length > 1) {
    const names = namedBy.map((name) => nameIn(bulk.fields, name, input)?.compared ?? textOf(name));
    return names.includes("") ? NONE : one("#", ...names);
  }
  if (again === "add") return NONE;
  if (bulk.table === "companies") {
    const name = folded(coreOf(textOf("name")) ?? "");
    return name === "" ? NONE : one("name", name);
  }
  return bulk.table === "contacts" ? keysOfContact(textOf) : NONE;
}

const textIn = (value: unknown) => (typeof value === "string" ? trim(value) : "");

const NONE: Keys = { asked: [], kept: [] };

/** A person of a company: by the e-mail address, or by the name if one of the rows has no address. */
function keysOfContact(textOf: (field: string) => string): Keys {
  const company = [COMPANY_ID, COMPANY_TAX_ID, COMPANY_NAME].map((field) => folded(textOf(field))).join("\0");
  const email = textOf("email").toLowerCase();
  const name = `${folded(textOf("first_name"))}\0${folded(textOf("last_name"))}`;
  const [byEmail, byName, withoutEmail] = ["@", "n", "-"].map((mark) =>
    [mark, company, mark === "@" ? email : name].join("\0"),
  );
  if (byEmail === undefined || byName === undefined || withoutEmail === undefined) return NONE;
  if (email === "") return { asked: [byName], kept: [byName, withoutEmail] };
  return { asked: [byEmail, withoutEmail], kept: [byEmail, byName] };
}

/** Two halves of a key's hash. */
type Hashes = readonly [high: number, low: number];

/** Slots per key, and the first slots. A slot has 64 bits of a key's hash, a line, and the hash of its name or 0. */
const [SPARE, FIRST_SLOTS, WIDTH] = [2, 2 ** 12, 4];

/** Lines by keys, in 16 bytes of memory per slot. Two of a million keys are taken for one once in 30 million files. */
function linesByKey() {
  let slots = new Uint32Array(FIRST_SLOTS * WIDTH);
  let used = 0;
  const seed = Math.trunc(Math.random() * 2 ** 32);

  function slotOf(table: Uint32Array, high: number, low: number): number {
    const mask = table.length / WIDTH - 1;
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const slot = at * WIDTH;
      if (table[slot + 2] === 0 || (table[slot] === high && table[slot + 1] === low)) return slot;
    }
  }

  /** Returns whether the slot was empty. */
  function put(table: Uint32Array, high: number, low: number, line: number, name: number): boolean {
    const slot = slotOf(table, high, low);
    const isNew = table[slot + 2] === 0;
    table[slot] = high;
    table[slot + 1] = low;
    table[slot + 2] = line;
    table[slot + 3] = name;
    return isNew;
  }

  function grow(): void {
    const larger = new Uint32Array(slots.length * 2);
    for (let slot = 0; slot < slots.length; slot += WIDTH) {
      const [high = 0, low = 0, line = 0, name = 0] = slots.subarray(slot, slot + WIDTH);
      if (line !== 0) put(larger, high, low, line, name);
    }
    slots = larger;
  }

  const hash = (name: string) => hashOf(name, seed) || 1;

  return {
    hash,
    hashesOf: (key: string): Hashes => [hashOf(key, seed), hashOf(key, ~seed)],
    get([high, low]: Hashes): { line: number; name: number } | null {
      const slot = slotOf(slots, high, low);
      const line = slots[slot + 2] ?? 0;
      return line === 0 ? null : { line, name: slots[slot + 3] ?? 0 };
    },
    set([high, low]: Hashes, line: number, name: string): void {
      if (used * SPARE * WIDTH >= slots.length) grow();
      if (put(slots, high, low, line, name === "" ? 0 : hash(name))) used++;
    },
  };
}

/** A hash that is stable for one text and seed. */
export function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
