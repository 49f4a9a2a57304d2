import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../harness.ts";
import { everyPage } from "./every-page.ts";
import { signedIn, visitor, type Member, type PageAnswer, type Visitor } from "./visitor.ts";

const cases = everyPage();
const MISSING = /<h1>Not found<\/h1>/;

const server = await startServer();
const tenant = await server.createTenant();
const others = await server.createTenant();
const member = await signedIn(server, tenant);
const admin = await signedIn(server, tenant, { role: "admin" });
const stranger = await signedIn(server, others, { role: "admin" });

async function visit(who: Visitor, { route, form }: (typeof cases)[number], path: string): Promise<PageAnswer> {
  return route.method === "GET" ? await who.get(path) : await who.post(path, form);
}

for (const each of cases) {
  const { page, route, of, status = route.method === "GET" ? 200 : 303 } = each;
  // The visit that signs somebody out is the last of its session.
  const whoever = async (who: Member, role: "admin" | "member") =>
    page === "POST /sign-out" ? await signedIn(server, tenant, { role }) : who;

  test(`${page}: an admin`, async () => {
    const path = (await of?.(tenant)) ?? route.path;
    assert.equal((await visit(await whoever(admin, "admin"), each, path)).status, status);
  });

  test(`${page}: a member`, async () => {
    const path = (await of?.(tenant)) ?? route.path;
    const answer = await visit(await whoever(member, "member"), each, path);
    assert.equal(answer.status, route.for === "admins" ? 403 : status);
  });

  if (route.for !== "everybody") {
    test(`${page}: nobody is sent to sign in, and back`, async () => {
      const path = (await of?.(tenant)) ?? route.path;
      const answer = await visit(visitor(server), each, path);
      assert.equal(answer.status, 303);
      const back = route.method === "GET" ? `?to=${encodeURIComponent(path)}` : "";
      assert.equal(answer.location, `/sign-in${back}`);
    });
  }

  if (of !== undefined && route.for !== "everybody") {
    test(`${page}: another tenant's is missing, like one that never was`, async () => {
      const path = await of(tenant);
      const answer = await visit(stranger, each, path);
      assert.equal(answer.status, 404);
      assert.match(answer.text, MISSING);
      const never = await visit(stranger, each, path.replaceAll(/\d+/g, "999999999"));
      assert.equal(answer.text, never.text);
    });
  }

  test(`${page}: says what browsers may do with it`, async () => {
    const path = (await of?.(tenant)) ?? route.path;
    const { headers } = await visit(await whoever(member, "member"), each, path);
    assert.equal(
      headers.get("content-security-policy"),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    assert.equal(headers.get("referrer-policy"), "same-origin");
    assert.equal(headers.get("cache-control"), "no-store");
  });
}

const sites = ["same-origin", "same-site", "cross-site", "none", "nonsense", null];
const origins = ["own", "https://evil.example", "null", "", null];

for (const { page, route, of, form } of cases.filter(({ route }) => route.method === "POST")) {
  test(`${page}: written from our own pages only, whatever a browser says of where it comes from`, async () => {
    for (const site of sites) {
      for (const origin of origins) {
        const who = page === "POST /sign-out" ? await signedIn(server, tenant) : admin;
        const path = (await of?.(tenant)) ?? route.path;
        const isOurs = site === "same-origin" || (site === null && origin === "own");
        const answer = await who.post(path, form, {
          ...(site === null ? {} : { "sec-fetch-site": site }),
          ...(origin === null ? {} : { origin: origin === "own" ? server.url : origin }),
        });
        assert.equal(answer.status === 403, !isOurs, `${site} ${origin}: ${answer.status}`);
      }
    }
  });
}
