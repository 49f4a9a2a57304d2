import { randomBytes } from "node:crypto";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { signedIn, visitor, type Member, type PageAnswer, type Visitor } from "../../doors/pages/visitor.ts";
import type { TestServer, TestTenant } from "../../harness.ts";
import { SECRET, type Person, type TestProvider } from "./provider.ts";

/** A workspace whose settings are saved, and the admin who saved them. */
export type Workspace = { tenant: TestTenant; admin: Member; begin: string };

type Options = Record<string, string>;

/** A workspace with single sign-on, tried by its admin and switched on. @param settings more fields of the form */
export async function workspaceWith(
  server: TestServer,
  provider: TestProvider,
  settings: Options = {},
): Promise<Workspace> {
  const made = await workspaceOff(server, provider, settings);
  const { tenant, admin } = made;
  provider.people.set(`admin-${tenant.slug}`, { email: admin.email, email_verified: true, name: "Ana Pop" });
  const tried = await throughProvider(provider, admin, `admin-${tenant.slug}`, "/workspace/sign-in/try");
  if (tried.status !== 200) throw new Error(`the trial answered ${tried.status}: ${tried.text}`);
  await admin.post("/workspace/sign-in/on");
  return made;
}

/** The same, not tried yet. */
export async function workspaceOff(
  server: TestServer,
  provider: TestProvider,
  settings: Options = {},
): Promise<Workspace> {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { role: "admin" });
  provider.register(`${server.url}/sign-in/oidc/${tenant.slug}/callback`);
  const saved = await admin.post("/workspace/sign-in", settingsOf(provider, settings));
  if (saved.status !== 303) throw new Error(`saving answered ${saved.status}: ${saved.text}`);
  return { tenant, admin, begin: `/sign-in/oidc/${tenant.slug}` };
}

export function settingsOf({ issuer }: Pick<TestProvider, "issuer">, settings: Options = {}): Options {
  return { issuer, client_id: "liaison", secret: SECRET, ...settings };
}

/** Somebody at the provider, with an own address. Returns the subject. */
export function personAt(provider: TestProvider, person: Person = {}): string {
  const subject = randomBytes(6).toString("hex");
  provider.people.set(subject, { email: `${subject}@example.com`, email_verified: true, name: "Ion Marin", ...person });
  return subject;
}

/** A browser goes from a link of ours to the provider, signs in there, and comes back. Returns our answer. */
export async function throughProvider(
  provider: TestProvider,
  who: Visitor,
  subject: string,
  path: string,
): Promise<PageAnswer> {
  const back = await toCallback(provider, who, subject, path);
  return typeof back === "string" ? await who.get(back) : back;
}

/** The same up to the path of our callback; an answer of ours instead where it does not get that far. */
export async function toCallback(
  provider: TestProvider,
  who: Visitor,
  subject: string,
  path: string,
): Promise<string | PageAnswer> {
  const begun = await who.get(path);
  if (begun.status !== 303 || begun.location?.startsWith("https://") !== true) return begun;
  provider.person = subject;
  const back = new URL(await signInThere(begun.location));
  return `${back.pathname}${back.search}`;
}

/** A browser of its own at the provider, which nobody has signed in with. Returns where the provider sends it. */
async function signInThere(url: string): Promise<string> {
  const cookies = new Map<string, string>();
  const origin = new URL(url).origin;
  let at = url;
  for (let steps = 0; at.startsWith(origin); steps++) {
    if (steps > 10) throw new Error(`the provider goes in circles: ${at}`);
    const { location, setCookies, text } = await getSecurely(at, cookies);
    for (const line of setCookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    if (location === undefined) throw new Error(`the provider does not go on: ${text}`);
    at = new URL(location, at).href;
  }
  return at;
}

/** The system may not know the names below localhost. */
const onLoopback: LookupFunction = (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]);

type Secure = { location: string | undefined; setCookies: string[]; text: string };

function getSecurely(url: string, cookies: ReadonlyMap<string, string>): Promise<Secure> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return new Promise((resolve, reject) => {
    const request = https.get(url, { headers: { cookie }, agent: false, lookup: onLoopback }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const { location, "set-cookie": setCookies = [] } = response.headers;
        resolve({ location, setCookies, text: Buffer.concat(chunks).toString() });
      });
    });
    request.on("error", reject);
  });
}

/** A person of the workspace with an account at the provider, who has not come that way yet. */
export async function userAt(
  server: TestServer,
  provider: TestProvider,
  tenant: TestTenant,
  person: Person = {},
): Promise<{ id: number; subject: string; email: string; browser: Visitor }> {
  const id = await tenant.createUser("Ion Marin");
  const [row] = await server.sql("select email from users where tenant_id = $1 and id = $2", [tenant.id, id]);
  const email = String(row?.email);
  return { id, subject: personAt(provider, { email, ...person }), email, browser: visitor(server) };
}
