import { insertOperator } from "../../../src/people/operators/operator-queries.ts";
import { aliveAt, beginning } from "../../../src/people/sessions/begin-session.ts";
import { insertSession } from "../../../src/people/sessions/session-queries.ts";
import { findTenant } from "../../../src/people/tenants/tenant-queries.ts";
import { insertUser } from "../../../src/people/users/user-queries.ts";
import type { TestServer, TestTenant } from "../../harness.ts";

export const PASSWORD = "correct horse battery";
export const PASSWORD_HASH =
  "$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$/ur5fLELUb1eXkT9oKHqq6gHGZ9Phwgbj4qyIcCNaYc";

/** A browser without JavaScript: it keeps cookies, follows nothing by itself, and says where its forms come from. */
export type Visitor = {
  get(path: string, headers?: Record<string, string>): Promise<PageAnswer>;
  post(path: string, form?: Form, headers?: Record<string, string>): Promise<PageAnswer>;
  /** Posts a form with files; a file's content by its name. */
  upload(path: string, form: Form, files: Record<string, string | Uint8Array<ArrayBuffer>>): Promise<PageAnswer>;
  cookies: Map<string, string>;
};

export type Form = Record<string, string | string[]>;

/** `location` without the server's own address. */
export type PageAnswer = { status: number; headers: Headers; text: string; location: string | null };

/** Somebody who is not signed in. */
export function visitor(server: Pick<TestServer, "url">): Visitor {
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, headers: Record<string, string>, body?: string | FormData) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(`${server.url}${path}`, {
      method,
      redirect: "manual",
      headers: { ...(cookie === "" ? {} : { cookie }), accept: "text/html", ...headers },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get("location");
    return { status: response.status, headers: response.headers, text: await response.text(), location };
  };
  return {
    cookies,
    get: async (path, headers = {}) => await send("GET", path, headers),
    async upload(path, form, files) {
      const data = new FormData();
      for (const [name, value] of Object.entries(form)) data.append(name, String(value));
      for (const [name, content] of Object.entries(files)) data.append("file", new Blob([content]), name);
      return await send("POST", path, { "sec-fetch-site": "same-origin" }, data);
    },
    async post(path, form = {}, headers = { "sec-fetch-site": "same-origin" }) {
      const pairs = Object.entries(form).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
      const type = { "content-type": "application/x-www-form-urlencoded" };
      return await send("POST", path, { ...type, ...headers }, new URLSearchParams(pairs).toString());
    },
  };
}

export type Member = Visitor & { userId: number; email: string };

let users = 0;

/** A user of the tenant who has signed in; the sign-in page, which takes a while too, has tests of its own. */
export async function signedIn(
  server: Pick<TestServer, "deps" | "url">,
  tenant: Pick<TestTenant, "id" | "slug">,
  { role = "member", name = "Ana Pop" }: { role?: "admin" | "member"; name?: string } = {},
): Promise<Member> {
  const email = `user-${++users}@example.com`;
  const { database, config } = server.deps;
  const user = await insertUser(tenant.id, database, {
    email,
    name,
    role,
    passwordHash: PASSWORD_HASH,
  });
  if (user === null) throw new Error(`the e-mail ${email} is taken`);
  const browser = visitor(server);
  const { token, from } = beginning({ network: "127.0.0.1", userAgent: "node" });
  const owner = {
    userId: String(user.id),
    tenantEpoch: (await findTenant(database, tenant.slug))?.sessionEpoch ?? 0,
    userEpoch: 0,
    awaitsCode: false,
  };
  await insertSession(tenant.id, database, owner, from, aliveAt(from.time));
  browser.cookies.set(config.publicUrl?.startsWith("https:") ? "__Host-liaison" : "liaison", token);
  return { ...browser, userId: user.id, email };
}

export const OPERATOR = "ops@example.com";

/** The installation's operator, who has signed in. */
export async function operatorIn({ deps, url }: TestServer): Promise<Visitor> {
  await insertOperator(deps.database, { email: OPERATOR, name: "Olga Operator", passwordHash: PASSWORD_HASH });
  const browser = visitor({ url });
  const answer = await browser.post("/operator/sign-in", { email: OPERATOR, password: PASSWORD });
  if (answer.status !== 303) throw new Error(`signing in answered ${answer.status}`);
  return browser;
}
