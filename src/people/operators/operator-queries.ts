import type { Database } from "../../platform/postgres/database.ts";
import { callsOf } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected, type Statement } from "../../platform/postgres/statement.ts";
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

const listStatement: Statement = {
  name: "list_operators",
  text: `select ${columns.sql} from users where tenant_id = $1 order by lower(email)`,
};

export async function listOperators(database: Database): Promise<Operator[]> {
  return (await database.quick.read(INSTALLATION, listStatement)).map(columns.read);
}

const deletions: readonly Statement[] = [
  // A session that begins at this moment waits for the lock, and then finds no user.
  { name: "hold_operator", text: "select id from users where tenant_id = $1 and id = $2 for update" },
  ...["sessions", "recovery_codes", "passkeys"].map((table) => ({
    name: `delete_${table}_of_operator`,
    text: `delete from ${table} where tenant_id = $1 and user_id = $2`,
  })),
  { name: "delete_operator", text: "delete from users where tenant_id = $1 and id = $2" },
];

/** Removes an operator with all that belongs to the operator. */
export async function deleteOperator(database: Database, id: string): Promise<void> {
  await database.write(
    INSTALLATION,
    deletions.map((statement) => ({ statement, parameters: [id] })),
  );
}
