import { coreOf } from "../../../customers/companies/same-name-queries.ts";
import { shortened, trim } from "../../../platform/text.ts";
import { COMPANY_ID, COMPANY_NAME, COMPANY_TAX_ID } from "../columns/company-columns.ts";
import { folded } from "../columns/folded.ts";
import type { Kind } from "../kind.ts";
import type { CsvHeader } from "../reading/header.ts";
import { nameIn, SAID, type ImportRow } from "../reading/rows.ts";
import type { ImportReason } from "../reasons.ts";
import { linesByKey } from "./lines-by-key.ts";

/** The rows that one reading of a page's file has met: the lines of its records, and its total. */
export type Pass = {
  /** Why the row is skipped if an earlier one means the same record; otherwise null, and the row is remembered. */
  earlier(row: ImportRow): ImportReason | null;
  totalAt: number | null;
  /** The line of the header of another table: rows below it are not read. */
  tableAt: number | null;
};

/**
 * Null for files that no page reads, and for changes of listed rows: their rows count one after the other.
 * @param isResumed whether an earlier attempt has written rows, so that only their texts are known (same-records.ts)
 */
export function newPass(kind: Kind, header: CsvHeader, isResumed: boolean): Pass | null {
  if (header.language === null || (header.idIndex !== null && !header.isOwnExport)) return null;
  const lines = linesByKey();
  return {
    totalAt: null,
    tableAt: null,
    earlier(row) {
      const { asked, kept, name = "" } = keysOf(kind, header, row, isResumed);
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
      for (const key of kept === asked ? hashes : kept.map(lines.hashesOf))
        lines.set(key, row.line, name === "" ? 0 : lines.hash(name));
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
function keysOf(kind: Kind, { again }: CsvHeader, row: ImportRow, isResumed: boolean): Keys {
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
  if (again === "add" || !isResumed) return NONE;
  if (bulk.table === "companies") {
    const name = folded(coreOf(textOf("name")) ?? "");
    return name === "" ? NONE : one("name", name);
  }
  const keysOfChild = { contacts: keysOfContact, addresses: keysOfAddress }[bulk.table];
  if (keysOfChild === undefined) return NONE;
  const company = [COMPANY_ID, COMPANY_TAX_ID, COMPANY_NAME].map((field) => folded(textOf(field))).join("\0");
  return keysOfChild(company, textOf);
}

const textIn = (value: unknown) => (typeof value === "string" ? trim(value) : "");

const NONE: Keys = { asked: [], kept: [] };

/** A person of a company: by the e-mail address, or by the name if one of the rows has no address. */
export function keysOfContact(company: string, textOf: (field: string) => string): Keys {
  const email = textOf("email").toLowerCase();
  const name = `${folded(textOf("first_name"))}\0${folded(textOf("last_name"))}`;
  const [byEmail, byName, withoutEmail] = ["@", "n", "-"].map((mark) =>
    [mark, company, mark === "@" ? email : name].join("\0"),
  );
  if (byEmail === undefined || byName === undefined || withoutEmail === undefined) return NONE;
  if (email === "") return { asked: [byName], kept: [byName, withoutEmail] };
  return { asked: [byEmail, withoutEmail], kept: [byEmail, byName] };
}

/** An address of a company. In one file, two types or two labels are two addresses; and 1/2 is not 1-2. */
export function keysOfAddress(company: string, textOf: (field: string) => string): Keys {
  if (textOf("address") === "") return NONE;
  const marks = textOf("address").replaceAll(/[\p{L}\p{N}\p{M}\s]/gu, "");
  const parts = ["address", "postal_code", "city", "type", "label"].map((field) => folded(textOf(field)));
  const key = [["a", company, marks, ...parts].join("\0")];
  return { asked: key, kept: key };
}
