import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import { INSTALLATION } from "../../platform/postgres/tenant-id.ts";
import { insertingUser } from "../users/user-queries.ts";

const columns = selectList({ id: column.text("id"), email: column.text("email"), name: column.text("name") });

/** An operator of the installation: a user of its own workspace. */
export type Operator = Selected<typeof columns>;

const insertingWorkspace = callsOf(
  "insert_workspace_of_installation",
  `insert into tenants (id, slug, name, time_zone) values ($1, '', 'operators', 'UTC') on conflict do nothing`,
);

/** Null if another operator has the e-mail address. */
export async function insertOperator(
  database: Database,
  operator: { email: string; name: string; passwordHash: string },
): Promise<Operator | null> {
  const [, rows] = await database.write(INSTALLATION, [
    insertingWorkspace(),
    insertingUser({ ...operator, role: "operator", by: "command" }),
  ]);
  return columns.first(rows);
}

const list = quickQuery(
  "list_operators",
  `select ${columns.sql} from users where tenant_id = $1 order by lower(email)`,
).all(columns.read);

export async function listOperators(database: Database): Promise<Operator[]> {
  return await list(INSTALLATION, database);
}

const deletions = [
  // A session that begins at this moment waits for the lock, and then finds no user.
  callsOf<[id: string]>("hold_operator", "select id from users where tenant_id = $1 and id = $2 for update"),
  ...["sessions", "recovery_codes", "passkeys"].map((table) =>
    callsOf<[id: string]>(`delete_${table}_of_operator`, `delete from ${table} where tenant_id = $1 and user_id = $2`),
  ),
  callsOf<[id: string]>("delete_operator", "delete from users where tenant_id = $1 and id = $2"),
];

/** Removes an operator with all that belongs to the operator. */
export async function deleteOperator(database: Database, id: string): Promise<void> {
  await database.write(
    INSTALLATION,
    deletions.map((deleting) => deleting(id)),
  );
}
