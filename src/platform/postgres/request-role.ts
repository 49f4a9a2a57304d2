import type { Database } from "./database.ts";
import { Refusal } from "../refusal.ts";
import type { Statement } from "./statement.ts";

const roleStatement: Statement = { name: "request_role", text: "select current_user" };

/**
 * Makes sure that requests work as the role that owns nothing: a connection pooler that drops the connection's options
 * would leave them the owner's rights, and row-level security would not apply.
 */
export async function checkRequestRole(database: Database): Promise<void> {
  const [row] = await database.readShared(roleStatement);
  if (row?.[0] === "liaison_app") return;
  throw new Refusal(
    "DATABASE_URL leads to a connection pooler that drops the connection's options: let it pass `options`, or connect without it.",
  );
}
