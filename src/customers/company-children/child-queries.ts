import type { Expected } from "../../platform/fields/row-state.ts";
import {
  ciphertextsOf,
  columnsOf,
  isExpected,
  ofEntry,
  partialUpdate,
  writtenTypes,
} from "../../platform/fields/sql.ts";
import type { Values } from "../../platform/fields/validation.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery, writeQuery } from "../../platform/postgres/query.ts";
import type { Row, Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { insertOfCompany, ofLiveCompany } from "../companies/live-company-queries.ts";
import { childStoredMembers } from "./child-json.ts";
import type { Child } from "./child.ts";

/** The queries of a kind of child. A child of a deleted company counts as missing, so each query checks both rows. */
export function childQueries(child: Child) {
  const { table } = child;
  const types = writtenTypes(child);
  const written = [...types.keys()];
  const ciphertexts = ciphertextsOf(child.fields, "k");
  const names = childStoredMembers(child).map(({ name }) => name);
  const columns = columnsOf(names, "k");
  const insertStatement: Statement = {
    name: `insert_${table}`,
    text: `${insertOfCompany(table, "k", types)} returning ${columns}`,
  };
  const updateOf = partialUpdate(
    `update_${table}`,
    child,
    (assignments, entries) => `update ${table} t set ${assignments} from ${entries}
      where t.tenant_id = $1 and ${ofEntry()} and t.deleted_at is null and ${ofLiveCompany("t")}
      returning ${columnsOf(names, "t")}`,
  );
  // The undo of its merge brings a merged child back.
  const isNotMerged = child.merged === undefined ? "" : " and k.merged_into is null";
  const live = "k.tenant_id = $1 and k.id = $2 and k.deleted_at is null";
  return {
    /** The child's row and its company's name, or null. */
    find: quickQuery<[id: string]>(
      `find_${table}`,
      `select ${columns}, c.name
      from ${table} k join companies c on c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null
      where ${live}`,
    ).row(),

    exists: quickQuery<[id: string]>(
      `exists_${table}`,
      `select 1 from ${table} k where ${live} and ${ofLiveCompany("k")}`,
    ).exists(),

    /** Null for an unknown child. */
    findCiphertexts: quickQuery<[id: string]>(
      `ciphertexts_of_${table}`,
      `select ${ciphertexts.sql} from ${table} k where ${live}`,
    ).first(ciphertexts.read),

    /** Stores a new child of a live company with encrypted values and defaults; null for an unknown company. */
    async insert(tenant: TenantId, database: Database, companyId: string, values: Values): Promise<Row | null> {
      const parameters = [companyId, ...written.map((name) => values[name] ?? null)];
      const [rows] = await database.write(tenant, [{ statement: insertStatement, parameters }]);
      return rows?.[0] ?? null;
    },

    /**
     * Changes the fields in `values` (encrypted); null if the child is unknown, or has none of the expected versions.
     */
    async update(
      tenant: TenantId,
      database: Database,
      id: string,
      values: Values,
      expected: Expected,
    ): Promise<Row | null> {
      const [rows] = await database.write(tenant, [updateOf(id, values, expected)]);
      return rows?.[0] ?? null;
    },

    /** Marks the child as deleted; false if it is unknown, or has none of the expected versions. */
    delete: writeQuery<[id: string, by: string, expected: Expected]>(
      `delete_${table}`,
      `update ${table} k set deleted_at = moment_after(updated_at), updated_at = moment_after(updated_at), changed_by = $3
      where ${live} and ${ofLiveCompany("k")} and ${isExpected("k.updated_at", "$4::timestamptz[]")} returning k.id`,
    ).exists(),

    /** Restores a deleted child of a live company; a live child stays unchanged. Null for an unknown child. */
    restore: writeQuery<[id: string, by: string]>(
      `restore_${table}`,
      `update ${table} k set deleted_at = null,
        updated_at = case when k.deleted_at is null then k.updated_at else moment_after(k.updated_at) end,
        changed_by = case when k.deleted_at is null then k.changed_by else $3 end
      where k.tenant_id = $1 and k.id = $2${isNotMerged} and ${ofLiveCompany("k")} returning ${columns}`,
    ).row(),
  };
}
