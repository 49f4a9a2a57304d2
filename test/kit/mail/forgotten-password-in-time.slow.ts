import assert from "node:assert/strict";
import { test } from "node:test";
import { insertUser } from "../../../src/people/users/user-queries.ts";
import { PASSWORD_HASH, visitor, type PageAnswer } from "../../doors/pages/visitor.ts";
import { startMailing } from "./mailing-server.ts";

const server = await startMailing({ LIAISON_TRUSTED_PROXIES: "127.0.0.1" });
const { mail } = server;
const tenant = await server.createTenant({ slug: "acme" });
const known = { email: "person@example.com" };
await insertUser(tenant.id, server.deps.database, {
  ...known,
  name: "Ana",
  role: "member",
  passwordHash: PASSWORD_HASH,
});
let networks = 0;

/** From a network of its own: strangers are counted by network. */
const ask = async (email: string, workspace: string): Promise<PageAnswer> => {
  const headers = { "sec-fetch-site": "same-origin", "x-forwarded-for": `10.${++networks >> 8}.${networks & 255}.1` };
  return await visitor(server).post("/sign-in/forgotten", { workspace, email }, headers);
};

test("the answer is the same, in the same time, whether there is such a user or not", async () => {
  const cases = {
    known: [known.email, "acme"],
    unknown: ["nobody@example.com", "acme"],
    elsewhere: [known.email, "no-such-workspace"],
  } as const;
  const answers = new Set<string>();
  const times: Record<string, number[]> = { known: [], unknown: [], elsewhere: [] };
  const tryAll = Object.entries(cases).map(([name, [email, workspace]]) => async () => {
    const since = performance.now();
    const { status, text } = await ask(email, workspace);
    times[name]?.push(performance.now() - since);
    answers.add(`${status} ${text}`);
  });
  for (let turn = 0; turn < 50; turn++) {
    await Promise.all([...tryAll, ...tryAll, ...tryAll, ...tryAll].map(async (tryOne) => await tryOne()));
  }
  assert.equal(answers.size, 1);
  const [median = 0, ...others] = Object.values(times).map((all) => all.toSorted((a, b) => a - b)[100] ?? 0);
  for (const other of others) assert.ok(Math.abs(other - median) < median / 10, `${other} ms and ${median} ms`);
  assert.deepEqual(
    await server.sql("select email, count(*)::int from mails where state = 'waiting' group by email order by email"),
    [
      { email: "nobody@example.com", count: 1 },
      { email: known.email, count: 1 },
    ],
    "requests while a mail waits add none",
  );
  server.startWorker();
  await mail.until(known.email);
  await server.untilIdle();
  assert.deepEqual(await server.sql("select email, state from mails"), [{ email: known.email, state: "sent" }]);
});
