import { usersByWords } from "../../../people/users/user-queries.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import type { RowNote } from "../cells/read-cell.ts";
import { folded } from "../columns/folded.ts";
import type { CsvHeader } from "../reading/header.ts";
import type { ImportRow } from "../reading/rows.ts";

/**
 * The active users by what a file may call them, and by the words of their names; null if two are called so. Read once
 * for each file.
 */
type Users = Readonly<Record<"byWord" | "byWords", ReadonlyMap<string, string | null>>>;
const usersOfFiles = new WeakMap<CsvHeader, Promise<Users>>();

/**
 * Replaces names and e-mail addresses of users in rows of a page's file by their numbers. A cell that names no user, or
 * several, is left out of its row, or stays and is rejected if a person chose so.
 */
export async function withOwners(
  tenant: TenantId,
  database: Database,
  header: CsvHeader,
  rows: readonly ImportRow[],
): Promise<ImportRow[]> {
  const fields = header.columns.filter(({ kind }) => kind === "user").map(({ name }) => name);
  if (header.language === null || fields.length === 0) return [...rows];
  const users = await usersOfFiles.getOrInsertComputed(header, async () => await readUsers(tenant, database));
  return rows.map((row) => {
    const input = { ...row.input };
    const notes: RowNote[] = [...(row.notes ?? [])];
    for (const field of fields) {
      const text = input[field];
      if (typeof text !== "string" || text === "") continue;
      const id = userCalled(users, text);
      if (id != null) input[field] = id;
      else if (header.choices[field] !== "skip") {
        delete input[field];
        notes.push({ field, text, why: "unfit" });
      }
    }
    return { ...row, input, notes };
  });
}

/** A user by number, e-mail address (also behind a name), or name, whose family name may come first. */
function userCalled({ byWord, byWords }: Users, text: string): string | null | undefined {
  const address = /[^\s<>,;()]+@[^\s<>,;()]+/.exec(text.slice(0, LONGEST))?.[0];
  if (address !== undefined) return byWord.get(address.toLowerCase());
  const word = folded(text);
  return byWord.has(word) ? byWord.get(word) : byWords.get(sortedWords(word));
}

const LONGEST = 300;

function sortedWords(folded: string): string {
  return folded.split(" ").toSorted().join(" ");
}

async function readUsers(tenant: TenantId, database: Database): Promise<Users> {
  const byWord = new Map<string, string | null>();
  const byWords = new Map<string, string | null>();
  for (const { id, name, email } of await usersByWords(tenant, database)) {
    byWord.set(id, id);
    byWord.set(email.toLowerCase(), id);
    const word = folded(name);
    if (word === "" || /^\d+$/.test(word)) continue;
    byWord.set(word, byWord.has(word) ? null : id);
    const words = sortedWords(word);
    byWords.set(words, byWords.has(words) ? null : id);
  }
  return { byWord, byWords };
}
