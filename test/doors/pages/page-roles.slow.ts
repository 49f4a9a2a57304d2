import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import { everyPage } from "./every-page.ts";
import { testSendersOfForms } from "./senders-of-forms.ts";
import { operatorIn, signedIn, visitor, type Member, type PageAnswer, type Visitor } from "./visitor.ts";

const cases = everyPage();
const MISSING = /<h1>Not found<\/h1>/;

const server = await startServer();
const tenant = await server.createTenant();
const others = await server.createTenant();
const member = await signedIn(server, tenant);
const admin = await signedIn(server, tenant, { role: "admin" });
const operator = await operatorIn(server);
const stranger = await signedIn(server, others, { role: "admin" });

async function visit(who: Visitor, { route, form }: (typeof cases)[number], path: string): Promise<PageAnswer> {
  return route.method === "GET" ? await who.get(path) : await who.post(path, form);
}

function saysWhatBrowsersMayDo({ headers }: PageAnswer): void {
  assert.equal(
    headers.get("content-security-policy"),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
      "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  assert.equal(headers.get("referrer-policy"), "same-origin");
  assert.equal(headers.get("cache-control"), "no-store");
}

for (const each of cases) {
  const { page, route, of, endsSession, status = route.method === "GET" ? 200 : 303 } = each;
  const visitorAs = async (who: Member, role: "admin" | "member") =>
    endsSession === true ? await signedIn(server, tenant, { role }) : who;

  test(`${page}: an admin`, async () => {
    const who = await visitorAs(admin, "admin");
    const path = (await of?.(tenant, who)) ?? route.path;
    assert.equal((await visit(who, each, path)).status, route.for === "operators" ? 303 : status);
  });

  test(`${page}: a member, whose browser receives what it may do with it`, async () => {
    const who = await visitorAs(member, "member");
    const path = (await of?.(tenant, who)) ?? route.path;
    const answer = await visit(who, each, path);
    assert.equal(answer.status, route.for === "admins" ? 403 : route.for === "operators" ? 303 : status);
    saysWhatBrowsersMayDo(answer);
  });

  if (route.for !== "everybody") {
    test(`${page}: an operator`, async () => {
      const path = (await of?.(tenant, admin)) ?? route.path;
      const answer = await visit(operator, each, path);
      const isOfTenants = route.for === "members" || route.for === "admins";
      const isOthers = route.for === "signed-in" && of !== undefined;
      assert.equal(answer.status, isOfTenants ? 303 : isOthers ? 404 : status);
      if (isOfTenants) assert.match(answer.location ?? "", /^\/sign-in(?:\?|$)/);
    });
  }

  if (route.for !== "everybody") {
    test(`${page}: nobody is sent to sign in, and back`, async () => {
      const path = (await of?.(tenant, admin)) ?? route.path;
      const answer = await visit(visitor(server), each, path);
      assert.equal(answer.status, 303);
      const back = route.method === "GET" ? `?to=${encodeURIComponent(path)}` : "";
      assert.equal(answer.location, `${route.for === "operators" ? "/operator" : ""}/sign-in${back}`);
    });
  }

  if (of !== undefined && route.for !== "everybody" && route.for !== "operators") {
    test(`${page}: another tenant's is missing, like one that never was`, async () => {
      const path = await of(tenant, admin);
      const answer = await visit(stranger, each, path);
      assert.equal(answer.status, 404);
      assert.match(answer.text, MISSING);
      const never = await visit(stranger, each, path.replaceAll(/\d+/g, "999999999"));
      assert.equal(answer.text, never.text);
    });
  }
}

test("operators alone open the pages below /operator, and beside them what everybody has about oneself", () => {
  const pathsFor = (audience: string) =>
    cases.filter(({ route }) => route.for === audience).map(({ route }) => route.path);
  const below = cases
    .filter(({ route }) => /^\/operator\/(?!sign-in$)/.test(route.path))
    .map(({ route }) => route.path);
  assert.deepEqual(pathsFor("operators"), below);
  assert.deepEqual(
    pathsFor("signed-in").filter((path) => !/^\/profile(?:\/|$)/.test(path)),
    [],
  );
});

await testSendersOfForms(server, tenant, "some");

test("a page that is not there offers the search and the records opened last", async () => {
  const { id } = (await tenant.post("/api/v1/companies", { name: "Brutăria Turda" })).body.data;
  const who = await signedIn(server, tenant);
  await who.get(`/companies/${id}`);
  const { status, text } = await who.get("/nowhere");
  assert.equal(status, 404);
  assert.match(text, /<form class="search" role="search" action="\/find">/);
  assert.match(text, new RegExp(`<a href="/companies/${id}"><span>Brutăria Turda</span>`));
  const answer = await (await signedIn(server, others)).get("/nowhere");
  assert.ok(!answer.text.includes("Brutăria Turda"));
});

test("a page for admins names the admins of the workspace, and a form from elsewhere does not", async () => {
  const firm = await server.createTenant();
  await signedIn(server, firm, { role: "admin", name: "Ana Pop" });
  const who = await signedIn(server, firm, { name: "Mihai Rus" });
  for (const path of ["/keys", "/keys/new"]) {
    const { status, text } = await who.get(path);
    assert.equal(status, 403);
    assert.match(text, /<p>“API keys” is for admins: Ana Pop\.<\/p>/);
  }
});

test("what is dangerous is in a block at the end, and its hint says what the button does", async () => {
  const user = await tenant.createUser();
  const { text } = await admin.get(`/users/${user}`);
  const [above = "", block = ""] = text.split("<h2>Danger</h2>");
  // A link for a new password can be undone: it is no danger.
  assert.match(above, /\/password-link/);
  assert.doesNotMatch(block, /\/password-link/);
  assert.match(block, /<strong>Deactivate<\/strong><p class="hint">Deactivating signs this person out/);
  assert.match(block, new RegExp(`<a class="button danger" href="/users/${user}/deactivate">Deactivate</a>`));
});
