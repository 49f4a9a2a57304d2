import assert from "node:assert/strict";
import { test } from "node:test";
import { insertUser } from "../../../src/people/users/user-queries.ts";
import { operatorIn, OPERATOR, PASSWORD, PASSWORD_HASH, signedIn, visitor } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

const server = await startServer();

test("the sign-in page has the workspace that the browser signed in to last, and an address with another one wins", async () => {
  await operatorIn(server);
  const [first, second] = [await server.createTenant(), await server.createTenant()];
  const email = "ana@example.com";
  for (const { id } of [first, second])
    await insertUser(id, server.deps.database, { email, name: "Ana Pop", role: "member", passwordHash: PASSWORD_HASH });
  const browser = visitor(server);
  const shown = async (query = "") =>
    /name="workspace" type="text" value="([^"]*)"/.exec((await browser.get(`/sign-in${query}`)).text)?.[1];
  assert.equal(await shown(), "");
  for (const { slug } of [first, second]) {
    const signedIn = await browser.post("/sign-in", {
      workspace: ` ${slug.toUpperCase()} `,
      email,
      password: PASSWORD,
    });
    assert.equal(signedIn.location, "/today");
    await browser.post("/sign-out");
    assert.equal(await shown(), slug);
  }
  assert.equal(await shown(`?workspace=${first.slug}`), first.slug);
  await browser.post("/sign-in", { workspace: "", email: OPERATOR, password: PASSWORD });
  await browser.post("/sign-out");
  assert.equal(await shown(), second.slug, "an operator's sign-in keeps it");
  browser.cookies.set("liaison-browser", "forged");
  assert.equal(await shown(), "");
});

test("a sign-in whose session cannot be stored is a failure, and gives the browser no session", async () => {
  const tenant = await server.createTenant();
  const { email } = await signedIn(server, tenant);
  await server.sql(`create function no_room() returns trigger language plpgsql as $$
    begin raise exception using errcode = '53100', message = 'no space left on device'; end $$`);
  await server.sql("create trigger no_room before insert on sessions for each row execute function no_room()");
  const browser = visitor(server);
  const answer = await browser.post("/sign-in", { workspace: tenant.slug, email, password: PASSWORD });
  await server.sql("drop trigger no_room on sessions");
  assert.deepEqual([answer.status, [...browser.cookies.keys()]], [503, []]);
});
