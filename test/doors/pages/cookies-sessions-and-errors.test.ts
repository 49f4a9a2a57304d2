import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { request, startServer } from "../../harness.ts";
import { operatorIn, PASSWORD, signedIn, visitor, type PageAnswer } from "./visitor.ts";

const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);

const SECONDS = { session: 14 * 24 * 3600, browser: 365 * 24 * 3600 };

for (const [environment, forwarded, isSecure] of [
  [{}, "https", false],
  [{ LIAISON_TRUSTED_PROXIES: "127.0.0.1" }, "http", false],
  [{ LIAISON_TRUSTED_PROXIES: "127.0.0.1" }, "https", true],
  [{ LIAISON_PUBLIC_URL: "https://crm.example" }, null, true],
] as [Record<string, string>, string | null, boolean][]) {
  const about = `${JSON.stringify(environment)}, forwarded as ${forwarded}`;
  test(`cookies are kept from scripts and other sites, and behind https from http: ${about}`, async () => {
    const own = await startServer(environment);
    const firm = await own.createTenant();
    const { email } = await signedIn(own, firm);
    const headers = forwarded === null ? {} : { "x-forwarded-proto": forwarded };
    const from = { "sec-fetch-site": "same-origin", ...headers };
    const expected = (name: string, seconds: number) =>
      `${isSecure ? "__Host-" : ""}${name}=; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;

    const browser = visitor(own);
    const answer = await browser.post("/sign-in", { workspace: firm.slug, email, password: PASSWORD }, from);
    const session = expected("liaison", SECONDS.session);
    assert.deepEqual(setBy(answer), [session, expected("liaison-browser", SECONDS.browser)]);
    assert.equal((await browser.get("/companies", headers)).status, 200);
    const out = await browser.post("/sign-out", {}, from);
    assert.deepEqual(setBy(out), [expected("liaison", 0)]);
  });
}

test("a cookie that a neighbouring host could have set is none behind https", async () => {
  const own = await startServer({ LIAISON_PUBLIC_URL: "https://crm.example" });
  const browser = await signedIn(own, await own.createTenant());
  const token = browser.cookies.get("__Host-liaison") ?? "";
  assert.notEqual(token, "");
  const neighbours = visitor(own);
  neighbours.cookies.set("liaison", token);
  assert.equal((await neighbours.get("/companies")).status, 303);
});

const elsewhere = [
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/..//evil.example",
  "/.//evil.example",
  "/companies/..//evil.example/",
  "/%2e%2e//evil.example",
  "evil.example",
  "javascript:alert(1)",
  "",
];

test("after signing in a user gets the requested page, and no other server", async () => {
  const operator = await operatorIn(server);
  const where = (to: string) => `?to=${encodeURIComponent(to)}`;
  for (const to of elsewhere) {
    assert.doesNotMatch((await visitor(server).get(`/sign-in${where(to)}`)).text, /name="to"/, to);
    assert.equal((await member.get(`/sign-in${where(to)}`)).location, "/today", to);
    assert.equal((await operator.get(`/operator/sign-in${where(to)}`)).location, "/operator/tenants", to);
  }
  const form = { workspace: tenant.slug, email: member.email, password: PASSWORD };
  assert.equal((await visitor(server).post("/sign-in", { ...form, to: "/..//evil.example" })).location, "/today");
  const going = "/companies?search=a%26b&page=2";
  assert.equal((await visitor(server).post("/sign-in", { ...form, to: going })).location, going);
  assert.equal((await member.get(`/sign-in${where(going)}`)).location, going);
});

test("a token that was signed out opens nothing", async () => {
  const browser = await signedIn(server, tenant);
  const token = browser.cookies.get("liaison") ?? "";
  assert.equal((await browser.post("/sign-out")).location, "/sign-in");
  const thief = visitor(server);
  thief.cookies.set("liaison", token);
  assert.equal((await thief.get("/companies")).status, 303);
});

test("a session has the rate that a key has, and others go on", async () => {
  const own = await startServer({ LIAISON_RATE_LIMIT: "3" });
  const firm = await own.createTenant();
  const [one, other] = [await signedIn(own, firm), await signedIn(own, firm)];
  for (const who of [one, await operatorIn(own)]) {
    const path = who === one ? "/companies" : "/operator/tenants";
    const answers: PageAnswer[] = [];
    for (let times = 0; times < 7; times++) answers.push(await who.get(path));
    assert.equal(answers[0]?.status, 200);
    const refused = answers.find(({ status }) => status === 429);
    assert.ok(Number(refused?.headers.get("retry-after")) >= 1);
    assert.match(refused?.text ?? "", /<h1>Too many requests<\/h1>/);
  }
  assert.equal((await other.get("/companies")).status, 200);
});

test("pages of errors say what browsers may do with them, as others do", async () => {
  const answers: [number, PageAnswer][] = [
    [404, await member.get("/nothing")],
    [404, await member.get("/companies/999999")],
    [404, await member.get("/companies/%E0%A4%A")],
    [403, await member.get("/keys")],
    [403, await member.post("/companies", { name: "A" }, { "sec-fetch-site": "cross-site" })],
    [413, await member.post("/companies", { name: "A".repeat(1024 * 1024) })],
    [422, await member.post("/companies", { name: "" })],
    [
      400,
      await member.upload("/imports", Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}`, ""])), {}),
    ],
    [303, await visitor(server).get("/companies")],
  ];
  for (const [status, { headers, ...answer }] of answers) {
    assert.equal(answer.status, status);
    assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none'; .*frame-ancestors 'none'$/);
    assert.equal(headers.get("referrer-policy"), "same-origin");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    if (status !== 303) assert.match(answer.text, /^<!doctype html>[^]*<h1>/);
  }
});

test("an error page has the frame, the user's language and theme, also for an unknown path", async () => {
  const person = await signedIn(server, tenant);
  await person.post("/profile", { language: "ro" });
  await person.post("/profile", { theme: "dark" });
  const operator = await operatorIn(server);
  const english = { "accept-language": "en" };
  const foreign = { ...english, "sec-fetch-site": "cross-site" };
  for (const [status, { text, ...answer }] of [
    [404, await person.get("/nothing/at/all", english)],
    [404, await person.get("/companies/999999", english)],
    [403, await person.get("/keys", english)],
    [403, await person.post("/companies", { name: "A" }, foreign)],
  ] as const) {
    assert.equal(answer.status, status);
    assert.match(text, /<html lang="ro" data-theme="dark">/);
    assert.match(text, /<nav class="sidebar"[^]*href="\/companies"[^]*action="\/sign-out"/);
    assert.doesNotMatch(text, /aria-current/);
  }
  for (const path of ["/operator/nothing", "/operator/tenants/nobody"]) {
    assert.match((await operator.get(path)).text, /<nav class="sidebar"[^]*action="\/sign-out"/, path);
  }
  for (const path of ["/nothing", "/operator/nothing"]) {
    const { status, text } = await visitor(server).get(path, { "accept-language": "en;q=0.3, ro;q=0.9" });
    assert.equal(status, 404, path);
    assert.match(text, /<html lang="ro"[^]*<body class="bare">/, path);
  }
});

test("HEAD answers as GET without a page, also where there is none; other methods are refused", async () => {
  const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const ask = async (method: string, path: string) =>
    await request(server.url, method, path, undefined, { headers: { cookie, accept: "text/html" } });
  for (const [path, status] of [
    ["/companies", 200],
    ["/companies/999999", 404],
    ["/nothing", 404],
  ] as const) {
    const answer = await ask("HEAD", path);
    assert.equal(answer.status, status, path);
    assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8", path);
    assert.equal(answer.text, "");
  }
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const answer = await ask(method, "/companies");
    assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "GET, POST, HEAD, OPTIONS"], method);
  }
  assert.equal((await ask("OPTIONS", "/companies")).status, 204);
});

test("a database that is away is a page that says so, in one's language, and nobody is signed out by it", async () => {
  const own = await startServer();
  const firm = await own.createTenant();
  const person = await signedIn(own, firm, { role: "admin" });
  const operator = await operatorIn(own);
  const { token } = await firm.invite();
  const admin = new pg.Client({ ...own.connection, database: "postgres" });
  await admin.connect();
  const name = admin.escapeIdentifier(String(own.connection.database));
  await admin.query(`alter database ${name} with allow_connections false`);
  await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
    own.connection.database,
  ]);
  const sentIn = { workspace: firm.slug, email: person.email, password: PASSWORD };
  const answers = [
    await person.get("/companies"),
    await person.get("/export/companies.csv"),
    await person.get(`/invitations/${token}`),
    await person.post("/companies", { name: "Acme" }),
    await person.upload("/imports", { kind: "companies" }, { "a.csv": "name\nA\n" }),
    await person.post("/sign-out"),
    await visitor(own).post("/sign-in", sentIn),
    await operator.get("/operator/tenants"),
  ];
  for (const [index, answer] of answers.entries()) {
    assert.equal(answer.status, 503, String(index));
    assert.match(answer.text, /<h1>Please try again<\/h1>/);
    assert.ok(Number(answer.headers.get("retry-after")) >= 1);
    assert.deepEqual(answer.headers.getSetCookie(), []);
  }
  assert.match((await person.get("/companies", { "accept-language": "ro" })).text, /<h1>Încercați din nou<\/h1>/);
  await admin.query(`alter database ${name} with allow_connections true`);
  await admin.end();
  for (let answer = await person.get("/companies"); answer.status !== 200; answer = await person.get("/companies")) {
    assert.equal(answer.status, 503);
  }
});

/** The cookies of an answer without their values. */
function setBy({ headers }: PageAnswer): string[] {
  return headers.getSetCookie().map((line) => line.replace(/=[^;]*/, "="));
}
