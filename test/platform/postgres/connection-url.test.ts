import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { useCluster } from "../../../src/platform/cluster/embedded-postgres.ts";
import { connectionTo } from "../../../src/platform/postgres/external/connection-url.ts";
import { useExternalDatabase } from "../../../src/platform/postgres/external/external-postgres.ts";
import { cancelUntil } from "../../../src/platform/postgres/transactions/cancel.ts";
import { expired, key, valid } from "../../certificates.ts";
import { poll } from "../../program.ts";

/** An address of this machine for this run alone: the port is that of every embedded cluster. */
const [SECURE, PLAIN] = [0, 1].map((at) => `127.${100 + (process.pid % 100)}.${(process.pid >> 7) % 250}.${10 + at}`);
const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-tls-"));
fs.chmodSync(directory, 0o755);
const file = (name: string, content: string) => {
  const written = path.join(directory, name);
  fs.writeFileSync(written, content, { mode: 0o644 });
  return written;
};
const [authority, other] = [file("authority.pem", valid), file("other.pem", expired)];
const [ownKey, noCertificate] = [file("own.key", key), file("nothing.pem", "nothing")];

const clusters = await Promise.all(
  [SECURE, PLAIN].map(async (listen_addresses) => {
    const home = path.join(directory, String(listen_addresses));
    fs.mkdirSync(home);
    return await useCluster(home, { settings: { listen_addresses: String(listen_addresses), fsync: "off" } });
  }),
);
after(async () => {
  await Promise.all(clusters.map(async (cluster) => await cluster.release()));
  fs.rmSync(directory, { recursive: true, force: true });
});
for (const { connection } of clusters) {
  const client = await connected(connection);
  await client.query("create role somebody login password 'p@ss/w:rd#?%' createdb");
  await client.query("alter system set password_encryption = 'scram-sha-256'");
  const { rows } = await client.query(
    "select current_setting('hba_file') as hba, current_setting('data_directory') as data",
  );
  const [{ hba, data }] = rows as [{ hba: string; data: string }];
  fs.appendFileSync(hba, "host all all 127.0.0.0/8 scram-sha-256\n");
  if (connection === clusters[0]?.connection) {
    const { uid, gid } = fs.statSync(data);
    for (const [name, content] of [
      ["server.key", key],
      ["server.crt", valid],
    ] as const) {
      fs.writeFileSync(path.join(data, name), content, { mode: 0o600 });
      fs.chownSync(path.join(data, name), uid, gid);
    }
    await client.query("alter system set ssl = on");
  }
  await client.query("select pg_reload_conf()");
  await client.end();
}

async function connected(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  return client;
}

const urlOf = (search: string, hosts = SECURE) =>
  `postgres://somebody:p%40ss%2Fw%3Ard%23%3F%25@${hosts}:5432/postgres${search}`;

/** Whether a connection by this URL is encrypted, or the line with which the start ends. */
async function outcome(url: string): Promise<boolean | string> {
  try {
    const client = await connected(await useExternalDatabase(url, new AbortController().signal));
    const { rows } = await client.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    await client.end();
    return (rows as [{ ssl: boolean }])[0].ssl;
  } catch (error) {
    return (error as Error).message;
  }
}

for (const [search, expected, host] of [
  ["", false],
  ["?sslmode=disable", false],
  ["?sslmode=prefer", true],
  ["?sslmode=prefer", false, PLAIN],
  ["?sslmode=require", true],
  ["?sslmode=require", /It has no TLS: use sslmode=disable or sslmode=prefer\.$/, PLAIN],
  [`?sslmode=require&sslrootcert=${authority}`, true],
  [`?sslmode=require&sslrootcert=${other}`, /not trusted: name the file of its authority in sslrootcert/],
  ["?sslmode=verify-ca", /DATABASE_URL cannot be read: sslmode=verify-ca needs sslrootcert/],
  [`?sslmode=verify-ca&sslrootcert=${authority}`, true],
  ["?sslmode=verify-ca&sslrootcert=/nowhere.pem", /the file of sslrootcert cannot be read \(ENOENT\)/],
  ["?sslmode=verify-full", /not trusted: name the file of its authority in sslrootcert/],
  [`?sslmode=verify-full&sslrootcert=${authority}`, /Its certificate is of another host/],
  [`?sslmode=verify-full&sslrootcert=${authority}&hostaddr=${SECURE}`, true, "nord.localhost"],
  [`?sslmode=verify-ca&sslrootcert=${noCertificate}`, /the file of sslrootcert has no certificate/],
  [`?sslmode=require&sslcert=${authority}&sslkey=${ownKey}`, true],
  [`?sslmode=require&sslcert=${authority}`, /sslcert and sslkey need each other/],
  [`?sslmode=require&sslcert=${other}&sslkey=${noCertificate}`, /sslcert and sslkey must be a certificate and its key/],
  ["?sslmod=require", /DATABASE_URL cannot be read: of the parameters that begin with ssl/],
  ["?options=-c%20default_transaction_read_only%3Don", /It accepts no writes: it is a standby, or read-only/],
  ["?ssl=require", true],
  ["?ssl=false&requiressl=1", false],
  ["?requiressl=1", true],
  ["?ssl=on", /sslmode is one of/],
  ["?requiressl=yes", /sslmode is one of/],
  ["?sslmode=disable&sslmode=require", true],
  ["?sslmode=always", /sslmode is one of disable, allow, prefer, require, verify-ca, verify-full/],
] as const) {
  const where = host === undefined ? "" : ` at ${host === PLAIN ? "a server without TLS" : host}`;
  test(`TLS to PostgreSQL with "${search.replaceAll(directory, "")}"${where}`, async () => {
    const found = await outcome(urlOf(search.replaceAll("/", "%2F"), host ?? SECURE));
    if (typeof expected === "boolean") assert.equal(found, expected);
    else assert.match(String(found), expected);
  });
}

test("an expired certificate of the server is named as such", async () => {
  assert.ok(clusters[0]);
  const client = await connected(clusters[0].connection);
  const { rows } = await client.query<{ data: string }>("select current_setting('data_directory') as data");
  fs.writeFileSync(path.join(String(rows[0]?.data), "server.crt"), expired);
  await client.query("select pg_reload_conf()");
  await client.end();
  const url = urlOf(`?sslmode=verify-ca&sslrootcert=${other}`);
  await poll("the certificate", async () =>
    /certificate has expired\. Renew the certi/.test(String(await outcome(url))),
  );
});

test("of several servers, the one that runs a statement is asked to cancel it", async () => {
  const client = await connected(connectionTo(urlOf("", `127.0.0.1:1,${PLAIN}`)).connection);
  let isDone = false;
  const ended = client
    .query("select pg_sleep(600)")
    .then(
      () => null,
      ({ code }: pg.DatabaseError) => code,
    )
    .finally(() => (isDone = true));
  assert.equal(await cancelUntil(client, () => isDone), true);
  assert.equal(await ended, "57014");
  await client.end();
});

test("of several servers, the first one that accepts writes is used, and another one after it", async () => {
  const nobody = `127.0.0.1:1,${SECURE}:5432,${PLAIN}`;
  assert.equal(await outcome(urlOf("?sslmode=require", nobody)), true);
  const { connection } = connectionTo(urlOf("", `${SECURE}:5432,${PLAIN}`));
  const addressOf = async () => {
    const client = await connected(connection);
    const { rows } = await client.query("select host(inet_server_addr()) as address");
    await client.end();
    return (rows as [{ address: string }])[0].address;
  };
  assert.equal(await addressOf(), SECURE);
  await clusters[0]?.release();
  await poll("the other server", async () => (await addressOf().catch(() => null)) === PLAIN);
});

for (const url of [
  "postgres://u:qq/zz@db/x",
  "postgres://u:qq#zz@db/x",
  "postgres://u:qq?zz@db/x",
  "postgres://u:qq%zz@db/x",
  "postgres://u:qq@db:zz/x",
]) {
  test(`a URL that cannot be read names no part of a password: ${url}`, async () => {
    const said = String(await outcome(url));
    assert.match(said, /^DATABASE_URL cannot be read: /);
    assert.doesNotMatch(said, /qq|zz/);
  });
}
