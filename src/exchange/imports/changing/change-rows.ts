import type { Actor } from "../../../kit/actor.ts";
import type { Deps } from "../../../kit/deps.ts";
import { toCsv } from "../../../kit/files/csv-text.ts";
import { addUndos } from "../import-run-queries.ts";
import type { ImportTarget, Rejection } from "../kind.ts";
import { kindOfTenant } from "../kinds.ts";
import { headerOfInputs, ID, plainColumn } from "../reading/header.ts";
import { storeFile } from "../store-upload.ts";
import { undoRowOf } from "../undoing/undo-rows.ts";
import { committing, countsOf } from "../writing/write-batch.ts";
import { insertChange, noteChanged, startChange } from "./change-queries.ts";

/**
 * A change of listed rows: the same values for many rows of a kind. It is an import whose rows are named by id. So it
 * is stored, continued, stopped and undone as one (docs/decisions/0085-one-idea-of-a-list.md). The ids of payments name
 * invoices: each gets a payment of its rest.
 */
export type Change = {
  kind: string;
  /** Its name on pages: "Status: Active". */
  title: string;
  /** By field; null clears a field. */
  values: Readonly<Record<string, string | null>>;
};

/** `id`: of the import. `changed`: the rows that had other values before. */
export type Changed = { id: string; changed: number; rejected: Rejection[] };

/** Changes rows by their ids in one transaction. A row that cannot be changed costs only itself. */
export async function changeAtOnce(
  deps: ImportTarget["deps"],
  actor: Actor,
  { kind: name, title, values }: Change,
  ids: readonly string[],
): Promise<Changed> {
  const { tenant } = actor;
  const kind = await kindOfTenant(tenant, deps.database, name);
  const { fields } = kind.bulk;
  const columns = fields
    .filter((field) => Object.hasOwn(values, field.name))
    .map((field, index) => plainColumn(index, field.name, field.kind));
  const header = headerOfInputs(columns, { clearsEmpty: true, namesCompany: false });
  const booleans = fields.filter(({ kind, name: field }) => kind === "boolean" && values[field] != null);
  const input = {
    ...values,
    ...Object.fromEntries(booleans.map((field) => [field.name, values[field.name] === "true"])),
  };
  const rows = ids.map((id, line) => ({ line, id, identity: null, input }));
  const changed = await deps.database.transaction(tenant, async (run) => {
    const id = await insertChange(tenant, run, { kind: name, title, total: ids.length, userId: String(actor.by.id) });
    const target = { deps, kind, actor, header, transact: committing, custom: null, returnsStored: true };
    const { rows: outcomes, rejected, written } = await kind.write(run, target, rows);
    const kept = written.map((row) => undoRowOf(kind, row, { keyring: deps.keyring, tenant }));
    await addUndos(run, id, kept);
    const counts = countsOf(outcomes);
    await noteChanged(run, { ...counts, id, rejected: rejected.length });
    return { id, changed: counts.created + counts.updated - counts.unchanged, rejected };
  });
  kind.bulk.wrote?.(tenant, deps.database);
  return changed;
}

/**
 * Changes any number of rows in a job. The ids are stored first, so rows that match later are left alone. Returns the
 * id of the import, or null if the tenant's quota for files is used up.
 */
export async function changeInJob(
  deps: Deps,
  actor: Actor,
  { kind, title, values }: Change,
  ids: AsyncIterable<readonly string[]>,
): Promise<string | null> {
  let total = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    const cells = Object.values(values).map((value) => value ?? "");
    yield Buffer.from(toCsv([[ID, ...Object.keys(values)]]));
    for await (const some of ids) {
      total += some.length;
      yield Buffer.from(toCsv(some.map((id) => [id].concat(cells))));
    }
  }
  const stored = await storeFile(deps, actor.tenant, String(actor.by.id), { name: title, chunks: chunks() });
  if (stored === null) return null;
  await startChange(actor.tenant, deps.database, stored.id, { kind, bytes: stored.bytes, total });
  return stored.id;
}
