import type pg from "pg";
import { storeFile } from "../../src/exchange/imports/store-upload.ts";
import { openKeyring } from "../../src/platform/encryption/key-file.ts";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { generateToken, hashToken } from "../../src/platform/token.ts";
import { openBenchDeps } from "../load/bench-deps.ts";
import type { SeededTenant } from "../tenants/seed.ts";

/** A tenant's user who opens pages: the cookie of a session, and an import with rejected rows. */
export type PageVisitor = { cookie: string; refusedImport: string };

const ROW = `,${"x".repeat(1_000)}\n`;

/** @param refused the number of refused rows, of a thousand characters each */
export async function pageVisitor(
  owner: pg.Client,
  place: { connection: Connection; dataDir: string },
  tenant: SeededTenant,
  refused: number,
): Promise<PageVisitor> {
  const there = await owner.query("select id from imports where tenant_id = $1 and state = 'checked'", [tenant.id]);
  return {
    cookie: await beginSession(owner, tenant),
    refusedImport: String(there.rows[0]?.id ?? (await storeRefused(owner, place, tenant, refused))),
  };
}

async function beginSession(owner: pg.Client, { id, users }: SeededTenant): Promise<string> {
  const token = generateToken();
  await owner.query(
    `insert into sessions (tenant_id, user_id, token_hash, tenant_epoch, user_epoch, awaits_code, address, user_agent, created_at, last_seen_at)
    select u.tenant_id, u.id, $3, t.session_epoch, u.session_epoch, false, '127.0.0.1', 'bench', now(), now()
    from users u join tenants t on t.id = u.tenant_id where u.tenant_id = $1 and u.id = $2`,
    [id, users[0], hashToken(token)],
  );
  return `liaison=${token}`;
}

/** As the check leaves an import all of whose rows it refused. */
async function storeRefused(
  owner: pg.Client,
  { connection, dataDir }: { connection: Connection; dataDir: string },
  { id, users }: SeededTenant,
  refused: number,
): Promise<string> {
  const deps = await openBenchDeps(connection, await openKeyring(connection, dataDir, null, () => {}));
  const chunks = (async function* () {
    yield Buffer.from("name,notes\n");
    yield Buffer.from(ROW.repeat(refused));
  })();
  const stored = await storeFile(deps, id, String(users[0]), { name: "refused.csv", chunks });
  if (stored === null) throw new Error("the tenant has no room for another file");
  await owner.query(
    `insert into import_rejections (tenant_id, import_id, is_final, line, errors)
    select $1, $2, false, line, '{"errors":{"name":[{"code":"required"}]}}' from generate_series(2, $3::int + 1) line`,
    [id, stored.id, refused],
  );
  await owner.query(
    `update imports set kind = 'companies', bytes = $3, state = 'checked', total = $4, rejected = $4
    where tenant_id = $1 and id = $2`,
    [id, stored.id, stored.bytes, refused],
  );
  await deps.database.close();
  return stored.id;
}
