import { isDeepStrictEqual } from "node:util";
import type { OpenDeps } from "../../../kit/deps.ts";
import { findTenant } from "../../../people/tenants/tenant-queries.ts";
import { gathered, linesOf } from "../../../platform/postgres/copy-lines.ts";
import { isUniqueViolation } from "../../../platform/postgres/failures.ts";
import { fillTenant, type TenantLoading } from "../../../platform/postgres/loading.ts";
import { migrationNames } from "../../../platform/postgres/migrations/migration-files.ts";
import type { StoredTable } from "../../../platform/postgres/stored-tables.ts";
import { asTenantId, type TenantId } from "../../../platform/postgres/tenant-id.ts";
import { Refusal } from "../../../platform/refusal.ts";
import type { TenantHeader } from "../backup-format.ts";
import { readBackup, type BackupReading } from "../read-backup.ts";
import { adjustRows } from "./adjust-rows.ts";
import { adjustmentsOf, type Restoring, type SendingAutomatically } from "./adjustments.ts";
import { checkRows } from "./check-rows.ts";
import { encryptRows } from "./crypt-rows.ts";
import {
  asBeforeStatement,
  beginFeedStatement,
  clearAfterLoading,
  clearBeforeLoading,
  clearKeys,
  continueFeedStatement,
  forgetJobsStatement,
  keyTables,
  nextTenantStatement,
  sendAsBeforeStatement,
  workspaceSendsAsBeforeStatement,
} from "./tenant-restore-queries.ts";
import { clearedAfterLoading } from "./tenant-tables.ts";

export type TenantRestoreOptions = Pick<BackupReading, "file" | "passphrase" | "signal"> & {
  /** The new slug; null for that of the backup. */
  as: string | null;
  /** The kinds of jobs that make calls. */
  callingKinds: readonly string[];
};

/** The table of positions in the feed, which webhooks refer to. */
const FEED = "feed";

export type RestoredTenant = {
  slug: string;
  rows: number;
  /** Whether the tenant's invoices are sent and followed as before. */
  sends: boolean;
};

/**
 * Restores a tenant's backup beside existing tenants. Ids stay the same; encrypted values are encrypted for the new
 * tenant number. The new tenant sends nothing if the old one may still exist: under another slug, or if it was not
 * suspended at the time of the backup.
 */
export async function restoreTenant(deps: OpenDeps, options: TenantRestoreOptions): Promise<RestoredTenant> {
  const { as, callingKinds, ...reading } = options;
  // The whole file is checked before the transaction begins, which needs to know what the file is of.
  const { header } = await readBackup("tenant", reading);
  refuseOthers(reading.file, header);
  const slug = as ?? header.tenant.slug;
  const taken = new Refusal(`There is a tenant "${slug}" already: name another slug for this one, --as.`);
  if ((await findTenant(deps.database, slug)) !== null) throw taken;
  const isSame = slug === header.tenant.slug;
  const sends = isSame && header.tenant.was_suspended;
  let rows = 0;
  await fillTenant(deps.connection, async (loading) => {
    const id = asTenantId((await loading.run(nextTenantStatement, []))[0]?.id ?? "");
    rows = await loadFile(deps, loading, reading, { id, slug, isSame, sends });
    if (!sends) await loading.run(forgetJobsStatement, [id, callingKinds]);
    await loading.passIdsOf(id);
    // Comes after passIdsOf: the history refers to these keys by id, so no new key may get their ids.
    if (!isSame) for (const statement of clearKeys) await loading.run(statement, [id]);
  }).catch((error: unknown) => {
    // Of two concurrent restores, both can find the slug free.
    throw isUniqueViolation(error, "tenants_slug_key") ? taken : error;
  });
  return { slug, rows, sends };
}

/** Loads all tables of a file; returns the number of rows that stay. */
async function loadFile(
  { keyring, passwords }: OpenDeps,
  loading: TenantLoading,
  reading: BackupReading,
  restoring: Restoring,
): Promise<number> {
  const { id, isSame, sends } = restoring;
  const { adjustments, hidden } = adjustmentsOf(restoring);
  let rows = 0;
  let isFinished = false;
  const finishOthers = async () => {
    if (!isFinished) await showHidden(loading, id, sends ? hidden : null);
    isFinished = true;
  };
  await readBackup("tenant", {
    ...reading,
    async onTable(table, pieces) {
      const { name } = table;
      if (clearedAfterLoading.includes(name)) await finishOthers();
      const clear = clearBeforeLoading.get(name);
      if (clear !== undefined) await loading.run(clear, [id]);
      if (name === FEED) await loading.run(beginFeedStatement, [id]);
      const ours = adjustRows(table, checkRows(table, pieces, passwords), adjustments[name]);
      const loaded = await load(loading, id, table, encryptRows({ keyring, tenant: id }, table, ours));
      if (name === FEED) await loading.run(continueFeedStatement, [id]);
      if (isSame || !keyTables.includes(name)) rows += loaded;
    },
  });
  await finishOthers();
  return rows;
}

function refuseOthers(file: string, { migrations, version }: TenantHeader): void {
  if (isDeepStrictEqual(migrations, migrationNames())) return;
  throw new Refusal(
    `${file} is of an instance with other migrations (Liaison ${version}): bring both to one release, and take it again.`,
  );
}

/** Loads rows into a table for a tenant; returns their number. */
async function load(
  loading: TenantLoading,
  id: TenantId,
  { name, columns }: StoredTable,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const isItself = name === "tenants";
  const number = Buffer.from(`${id}\t`);
  let count = 0;
  const lines = async function* () {
    for await (const line of linesOf(name, rows)) {
      count++;
      yield isItself ? line : Buffer.concat([number, line]);
    }
  };
  await loading.rows(isItself ? { name, columns } : { name, columns: ["tenant_id", ...columns] }, gathered(lines()));
  return count;
}

/**
 * Runs once all other tables are loaded: restores the values that were hidden from triggers, and removes rows that
 * triggers made.
 */
async function showHidden(loading: TenantLoading, id: TenantId, hidden: SendingAutomatically | null): Promise<void> {
  await loading.run(asBeforeStatement, [id]);
  const { companies = [], workspace = [] } = hidden ?? {};
  if (companies.length > 0) await loading.run(sendAsBeforeStatement, [id, companies]);
  if (workspace.length > 0) await loading.run(workspaceSendsAsBeforeStatement, [id, workspace]);
  for (const statement of clearAfterLoading) await loading.run(statement, [id]);
}
