import assert from "node:assert/strict";
import { test } from "node:test";
import { createAuthenticator } from "../../../src/people/api-keys/authenticate.ts";
import { startServer } from "../../harness.ts";
import { statementsSent } from "../../statements-sent.ts";
import { later, MINUTE } from "../sessions/clock.ts";

const server = await startServer();
const LOOK_UP = "find_keys_by_hash";

test("a key that was valid a moment ago is no guess, although others guess from its address", async (t) => {
  const { token } = await server.createTenant();
  const authenticator = createAuthenticator(server.deps.database, server.deps.logger);
  t.after(() => authenticator.close());
  let asked = 0;
  const isGuessing = () => {
    asked++;
    return true;
  };
  const present = async () =>
    await authenticator.authenticate(`Bearer ${token}`, { address: () => "192.0.2.1", isGuessing });
  await present();
  assert.equal(asked, 1);
  const before = statementsSent(LOOK_UP);
  later(MINUTE);
  await present();
  assert.deepEqual([statementsSent(LOOK_UP) - before, asked], [1, 1]);
});
