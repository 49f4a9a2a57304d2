import pg from "pg";
import { Refusal } from "../../refusal.ts";
import type { Connection } from "../database.ts";
import { openRequestRole } from "../request-role.ts";
import { requestSettings } from "../request-settings.ts";

/**
 * Configures the nodes of a distributed database to serve requests as the coordinator alone would. The settings apply
 * to connections that are opened afterwards.
 */
export async function prepareNodes(client: pg.Client, connection: Connection): Promise<void> {
  await planWithValues(client);
  await passOnTheTenant(client);
  const requests = new pg.Client(await openRequestRole(connection));
  await requests.connect();
  try {
    const role = await valueOf(requests, "select current_user");
    await prepareRequestRole(client, role);
    await checkAdmission(requests, role);
  } finally {
    await requests.end();
  }
}

/** Citus finds the node by the tenant's value, so it cannot reuse one plan for every tenant. */
async function planWithValues(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
    where pronamespace = 'public'::regnamespace and 'plan_cache_mode=force_generic_plan' = any(proconfig)`,
  );
  for (const { name } of rows) await client.query(`alter function ${name} set plan_cache_mode = force_custom_plan`);
}

/** Row-level security on the nodes needs the tenant that `set local` names on the coordinator. */
async function passOnTheTenant(client: pg.Client): Promise<void> {
  const database = client.escapeIdentifier(await valueOf(client, "select current_database()"));
  await client.query(`alter database ${database} set citus.propagate_set_commands = 'local'`);
}

/**
 * The coordinator connects to the nodes as the role of requests. Citus creates it on every node, including later ones,
 * unless it was made before there were nodes.
 */
async function prepareRequestRole(client: pg.Client, role: string): Promise<void> {
  const database = client.escapeIdentifier(await valueOf(client, "select current_database()"));
  const settings = {
    ...requestSettings,
    // Citus sends `begin` with the tenant's setting to the nodes: each would return a warning for each transaction.
    client_min_messages: "error",
    // A function that bypasses row-level security (search_companies) runs on the node of its tenant and queries the
    // tables there. It names its tenant, so its queries stay on that node.
    "citus.allow_nested_distributed_execution": "on",
  };
  const alterations = Object.entries(settings).map(
    ([name, value]) => `alter role ${role} in database ${database} set ${name} = ${client.escapeLiteral(value)};`,
  );
  const { rows } = await client.query<{ success: boolean; result: string }>(
    "select success, result from run_command_on_all_nodes($1)",
    [
      `do $node$ begin
        perform set_config('citus.enable_ddl_propagation', 'off', true);
        if not exists (select from pg_roles where rolname = '${role}') then
          create role ${role} login in role liaison_app;
        end if;
        ${alterations.join("\n")}
      end $node$`,
    ],
  );
  const failed = rows.find(({ success }) => !success);
  if (failed !== undefined) throw new Refusal(`A node cannot be prepared for requests: ${failed.result}`);
}

/** Checks that the nodes accept connections of the role; only the operator can configure that. */
async function checkAdmission(requests: pg.Client, role: string): Promise<void> {
  const { rows } = await requests.query<{ node: string }>(
    `select n.nodename || ':' || n.nodeport as node
    from run_command_on_all_nodes('select 1') r join pg_dist_node n using (nodeid) where not r.success order by 1`,
  );
  if (rows.length === 0) return;
  throw new Refusal(
    `The tables are distributed, but ${rows.map(({ node }) => node).join(", ")} refuse ${role}: ` +
      "allow it in their pg_hba.conf from every node (by password: one in pg_dist_authinfo), then repeat this.",
  );
}

async function valueOf(client: pg.Client, text: string): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(text);
  return Object.values(rows[0] ?? {})[0] ?? "";
}
