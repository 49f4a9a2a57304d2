import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { workbook } from "../imports/workbooks.ts";

const MEGABYTE = 2 ** 20;
const PIECE = 65_536;
const server = await startServer({ LIAISON_IMPORT_QUOTA: "1" });

async function upload(member: Member, bytes: number): Promise<{ status: number; text: string; path: string }> {
  const csv = "name\n".padEnd(bytes, "A\n");
  const { status, text, location } = await member.upload("/imports", { kind: "companies" }, { "a.csv": csv });
  return { status, text, path: String(location) };
}

async function stored({ id }: TestTenant): Promise<{ counted: number; kept: number }> {
  const [row] = await server.sql(
    `select (select coalesce(sum(stored_bytes), 0)::int from imports where tenant_id = $1) as counted,
      (select count(*)::int from import_chunks where tenant_id = $1) as kept`,
    [id],
  );
  return row as { counted: number; kept: number };
}

test("a tenant's files have their room, a cancelled one gives its part back, and another tenant has its own", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const first = await upload(member, 700_000);
  assert.equal(first.status, 303, first.text);
  const refused = await upload(member, 700_000);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /<p class="error" id="file-error">[^<]*all their space[^<]*Cancel imports/);
  assert.deepEqual(await stored(tenant), { counted: 11 * PIECE, kept: 11 });
  const other = await signedIn(server, await server.createTenant());
  assert.equal((await upload(other, 700_000)).status, 303);

  await member.post(`${first.path}/cancel`);
  assert.deepEqual(await stored(tenant), { counted: 0, kept: 0 });
  assert.equal((await upload(member, 700_000)).status, 303);
});

test("files that come at once have the room together, but for a piece of each", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  let most = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) most = Math.max(most, (await stored(tenant)).counted);
  })();
  const answers = await Promise.all(Array.from({ length: 6 }, async () => await upload(member, 500_000)));
  over.abort();
  await watching;
  assert.ok(most <= MEGABYTE + 6 * PIECE, `${most} bytes`);
  const taken = answers.filter(({ status }) => status === 303).length;
  assert.ok(taken <= 2 && answers.every(({ status }) => status === 303 || status === 422), String(taken));
  assert.deepEqual(await stored(tenant), { counted: taken * 8 * PIECE, kept: taken * 8 });
});

test("a file that is larger than the room is given up while it comes", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const { hostname, port } = new URL(server.url);
  const socket = net.connect(Number(port), hostname);
  socket.write(
    `POST /imports HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\n` +
      "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 40000000\r\n\r\n" +
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n',
  );
  socket.write("A\n".repeat(MEGABYTE / 4));
  await poll("half of the room to be taken", async () => (await stored(tenant)).kept >= 7);
  socket.write("A\n".repeat(MEGABYTE / 2));
  await poll("the import to be given up", async () => {
    return (await server.sql("select id from imports where tenant_id = $1", [tenant.id])).length === 0;
  });
  socket.write("A\n".repeat(MEGABYTE / 2));
  assert.deepEqual(await stored(tenant), { counted: 0, kept: 0 });
  socket.destroy();
});

test("a sheet without room for its rows takes no room, and gives none back that others have", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const rows = Array.from({ length: 20_000 }, (_none, at) => [`Firma ${at} ${"A".repeat(60)}`, "Cluj"]);
  const file = workbook([
    {
      name: "One",
      rows: [
        ["Denumire", "Oraș", "Stare"],
        ["Alfa SRL", "Cluj", "active"],
      ],
    },
    { name: "Two", rows: [["Denumire", "Oraș"], ...rows] },
  ]);
  const answer = await member.upload("/imports", { kind: "companies" }, { "a.xlsx": new Uint8Array(file) });
  assert.equal(answer.status, 303, answer.text);
  const before = await stored(tenant);
  assert.equal(before.counted, before.kept * PIECE);
  for (let times = 0; times < 3; times++) {
    const refused = await member.post(`${String(answer.location)}/reading`, { sheet: "1" });
    assert.equal(refused.status, 422);
    assert.deepEqual(await stored(tenant), before);
  }
});
