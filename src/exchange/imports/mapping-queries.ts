import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery, stepQuery } from "../../platform/postgres/query.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { ChosenField } from "./columns/guess-columns.ts";
import type { Words } from "./reading/reading.ts";

/** The choices of people, by columnKeys (columns/guess-columns.ts), and the values of words. */
export type Remembered = { columns: Readonly<Record<string, ChosenField>>; words: Words };

/** Remembered names per kind, and the maximum characters of one. */
const MOST_NAMES = 500;
const LONGEST_NAME = 100;

const MAPPING = "select mapping, words from import_mappings where tenant_id = $1 and kind = $2";

function remembered([columns, words]: Row): Remembered {
  return {
    columns: columns == null ? {} : (JSON.parse(columns) as Remembered["columns"]),
    words: words == null ? {} : (JSON.parse(words) as Words),
  };
}

/** The latest mappings of the columns of a kind's files, and of the words in them. */
export const findMapping = quickQuery<[kind: string]>("find_import_mapping", MAPPING).only(remembered);

const insert = stepQuery<[kind: string]>(
  "add_import_mapping",
  `insert into import_mappings (tenant_id, kind, mapping, words) values ($1, $2, '{}', '{}')
  on conflict (tenant_id, kind) do nothing returning kind`,
).nothing();

const lock = stepQuery<[kind: string]>("lock_import_mapping", `${MAPPING} for update`).only(remembered);

const remember = stepQuery<[kind: string, columns: string, words: string]>(
  "remember_import_mapping",
  "update import_mappings set mapping = $3, words = $4 where tenant_id = $1 and kind = $2 returning kind",
).nothing();

/** Adds mappings to the remembered ones, and to those that another request adds at the same time. */
export async function rememberMapping(
  tenant: TenantId,
  database: Database,
  kind: string,
  { columns = {}, words = {} }: Partial<Remembered>,
): Promise<void> {
  await database.transaction(tenant, async (run) => {
    await insert(run, kind);
    const known = await lock(run, kind);
    const ofFields = Object.keys({ ...known.words, ...words }).map((field) => [
      field,
      latest(words[field] ?? {}, known.words[field] ?? {}),
    ]);
    const mapping = JSON.stringify(latest(columns, known.columns));
    await remember(run, kind, mapping, JSON.stringify(Object.fromEntries(ofFields)));
  });
}

/** The new names, then the known ones. A name with six digits is left out: it may be a phone number. */
function latest<T>(added: Readonly<Record<string, T>>, known: Readonly<Record<string, T>>): Record<string, T> {
  const kept = Object.entries({ ...added, ...known, ...added })
    .filter(([name]) => name !== "" && name.length <= LONGEST_NAME && !/(?:\d\D?){6}/.test(name))
    .slice(0, MOST_NAMES);
  return Object.fromEntries(kept);
}
