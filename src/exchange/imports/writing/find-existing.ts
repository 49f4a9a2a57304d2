import type { BulkRows, LookUp, Spellings } from "../../../kit/bulk-queries.ts";
import { externalHolder, findingExternalHolders } from "../../../kit/external-ids/external-id-queries.ts";
import { EXTERNAL, externalIdsOf, externalName, type ExternalId } from "../../../platform/fields/external-ids.ts";
import type { Input } from "../../../platform/fields/fields.ts";
import type { Ciphertexts } from "../../../platform/fields/stored-values.ts";
import { isId } from "../../../platform/ids.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import type { ImportRow } from "../reading/rows.ts";

/** An existing row; `found` has its ciphertexts and the columns that decide whether it may be changed. */
export type Existing = { id: string; found: Ciphertexts; isSpelledOtherwise?: true };
/**
 * `existing` is the stored row that a row names, `holder` the one that has its identity, `owners` those that have its
 * external ids. They differ only if the row names several.
 */
export type FindMeant = (row: ImportRow) => {
  existing: Existing | undefined;
  holder: Existing | undefined;
  owners: readonly Existing[];
  /** The identities of several stored rows that the row may mean. */
  several: readonly string[];
};

/**
 * Locks the rows with the batch's ids and identities by ascending id, so that concurrent transactions cannot deadlock.
 */
export async function findExisting(
  run: Run,
  bulk: BulkRows,
  rows: readonly ImportRow[],
  isFile = false,
): Promise<FindMeant> {
  const { identity, byId } = bulk;
  const external = rows.flatMap((row) => row.external ?? []);
  const owning = await findOwning(run, bulk.external ?? "", external);
  const ids = [...rows.flatMap(({ id }) => (id !== null && isId(id) ? id : [])), ...owning.values()];
  const identities = rows.flatMap((row) => row.identity?.text ?? []);
  const isMixed = identity !== null && ids.length > 0 && identities.length > 0;
  const named = isMixed ? await identity.ids(run, [...new Set(identities)]) : [];
  const identified = await lookUp(run, byId, [...ids, ...named]);
  const { holders, several } = await findHolders(run, bulk, [...new Set(identities)], isFile);
  /** A row that lost the external id while its lock was awaited is no owner. */
  const ownerOf = (each: ExternalId) => {
    const owner = identified.get(owning.get(externalName(each)) ?? "");
    return owner === undefined || !(hasShown(owner, each) || hasFormer(owner, each)) ? [] : owner;
  };
  return ({ id, identity: name, external: named = [] }) => {
    const holder = name === null ? undefined : holders.get(name.text);
    const owners = named.flatMap(ownerOf);
    return {
      existing: id === null ? (owners[0] ?? holder) : identified.get(id),
      holder,
      owners,
      several: several.get(name?.text ?? "") ?? [],
    };
  };
}

type Holders = { holders: Map<string, Existing>; several: Map<string, readonly string[]> };

/**
 * The rows that have these identities (of a file: in any spelling) or had them before, locked, by identity; and the
 * identities of several rows that one may mean.
 */
async function findHolders(run: Run, { identity, byId }: BulkRows, texts: string[], isFile: boolean): Promise<Holders> {
  const spellings = isFile && texts.length > 0 ? identity?.spellings : undefined;
  const { holders, several, unsure } =
    spellings === undefined ? { ...noHolders(), unsure: texts } : await lockSpelled(run, spellings, texts);
  for (const [text, holder] of await lookUp(run, identity?.find, unsure)) {
    holders.set(text, holder);
    several.delete(text);
  }
  const others = texts.filter((text) => !holders.has(text) && !several.has(text));
  const ids: string[] = [];
  const former = await findSpelled(run, identity?.spellings, others, false);
  for (const found of former.values()) if (found.length === 1) ids.push(found[0]?.id ?? "");
  const locked = await lookUp(run, byId, ids);
  for (const [text, found] of former) {
    const holder = found.length === 1 ? locked.get(found[0]?.id ?? "") : undefined;
    if (holder !== undefined) holders.set(text, { ...holder, isSpelledOtherwise: true });
    if (found.length > 1) several.set(text, identitiesOf(found));
  }
  return { holders, several };
}

const noHolders = (): Holders => ({ holders: new Map(), several: new Map() });

const identitiesOf = (rows: readonly { identity?: string | null }[]) => rows.map(({ identity }) => identity ?? "");

/**
 * Locks the rows with these identities in any spelling. `unsure`: those that the number of an identity may not find,
 * because of letters with several cases or of too many spellings.
 */
async function lockSpelled(
  run: Run,
  spellings: Spellings,
  texts: readonly string[],
): Promise<Holders & { unsure: string[] }> {
  const { lock } = spellings;
  const found = new Map<string, (Ciphertexts & { identity: string })[]>();
  for (const row of await lock.find(run, texts))
    found.getOrInsert(texts[Number(row.ordinal) - 1] ?? "", []).push({ ...row, identity: row.identity ?? "" });
  const { holders, several } = noHolders();
  const unsure: string[] = [];
  for (const text of texts) {
    const rows = found.get(text) ?? [];
    const exact = rows.find(({ isStill }) => isStill === "t");
    const same = exact === undefined ? rows.filter(({ identity }) => spellings.isSame(text, identity)) : [exact];
    const [first] = same;
    if (same.length > 1) several.set(text, identitiesOf(same));
    else if (first !== undefined)
      holders.set(text, { id: first.id ?? "", found: first, ...(exact === undefined && { isSpelledOtherwise: true }) });
    if (exact === undefined && (rows.length >= lock.most || NOT_ASCII.test(text))) unsure.push(text);
  }
  return { holders, several, unsure };
}

const NOT_ASCII = /[^\0-\x7f]/;

/** Whether the row that is meant shows a name of this row's. Else the names are of rows that were merged into it. */
export function isNamedAsShown(
  { id, external = [] }: ImportRow,
  { holder, owners }: Pick<ReturnType<FindMeant>, "holder" | "owners">,
): boolean {
  if (id !== null || (holder !== undefined && holder.isSpelledOtherwise !== true)) return true;
  return owners.some((owner) => external.some((each) => hasShown(owner, each)));
}

function hasShown({ found }: Existing, each: ExternalId): boolean {
  return externalIdsOf(found[EXTERNAL] ?? null).some((other) => externalName(other) === externalName(each));
}

/** Whether a row is found by an external id that it does not show: that of a row that was merged into it. */
function hasFormer(existing: Existing | undefined, { source, externalId }: ExternalId): boolean {
  const former = JSON.parse(existing?.found.formerIds ?? "[]") as { source: string; id: string }[];
  return former.some((one) => one.source === source && one.id === externalId);
}

/** A row that was found by such an id keeps the one that it shows. @param external the ids in `input` */
export function withoutFormer(input: Input, external: readonly ExternalId[], existing: Existing | undefined): Input {
  const former = external.filter((each) => hasFormer(existing, each)).map(({ source }) => source);
  if (former.length === 0) return input;
  const others = Object.entries(input[EXTERNAL] as object).filter(([source]) => !former.includes(source));
  return { ...input, [EXTERNAL]: Object.fromEntries(others) };
}

async function lookUp(run: Run, find: LookUp | undefined, names: string[]): Promise<Map<string, Existing>> {
  if (find === undefined || names.length === 0) return new Map();
  // Without duplicates: rows of one identity would scan all of its versions once for each row.
  const asked = [...new Set(names)];
  const found = await find(run, asked);
  return new Map(
    found.flatMap(({ ordinal, id, isStill, ...columns }) => {
      return isStill === "f" ? [] : [[asked[Number(ordinal) - 1] ?? "", { id: String(id), found: columns }]];
    }),
  );
}

/** The rows that have identities in other spellings (of a file), or had them before. They are not locked. */
export async function findSpelled(
  run: Run,
  spellings: Omit<Spellings, "lock"> | undefined,
  texts: readonly string[],
  isFile = true,
): Promise<Map<string, { id: string; identity: string }[]>> {
  const found = new Map<string, { id: string; identity: string }[]>();
  if (spellings === undefined || texts.length === 0) return found;
  const asked = [...new Set(texts)];
  const queries = isFile ? [spellings.find, spellings.former] : [spellings.former];
  for (const rows of await Promise.all(queries.map(async (find) => await find(run, asked)))) {
    const before = new Set(found.keys());
    for (const { ordinal, id, identity } of rows) {
      const text = asked[ordinal - 1] ?? "";
      if (!before.has(text) && spellings.isSame(text, identity)) found.getOrInsert(text, []).push({ id, identity });
    }
  }
  return found;
}

/** The ids of the resources that have external ids, by these; they are not locked. */
async function findOwning(run: Run, type: string, ids: readonly ExternalId[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const found = (await run(findingExternalHolders(type, ids))).map(externalHolder.read);
  return new Map(
    found.map(({ id, source, external_id: externalId }) => [externalName({ source, externalId }), String(id)]),
  );
}
