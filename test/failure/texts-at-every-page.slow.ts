import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pages } from "../../src/doors/pages.ts";
import { BODY_LIMIT, SIGNED_OUT_FORM_LIMIT } from "../../src/platform/http/body.ts";
import { everyPage } from "../doors/pages/every-page.ts";
import { codeOf, withSecondFactor } from "../doors/pages/second-factor.ts";
import { operatorIn, signedIn, visitor, type Visitor } from "../doors/pages/visitor.ts";
import { startServer } from "../harness.ts";
import { endlessTexts, marks, type EndlessText } from "./endless-texts.ts";
import { sendRaw, type RawRequest } from "./raw-request.ts";
import { firstTooCostly, TELLING, type Attempt } from "./silence.ts";

/**
 * Every field of every form, and every name in an address, is sent texts that are as long as its door lets in, also by
 * people who are not signed in. The names are those of the forms that the pages show, and those that the source reads.
 */

const server = await startServer({ LIAISON_RATE_LIMIT: "0" });
const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { role: "admin" });
const operator = await operatorIn(server);
const cautious = await withSecondFactor(server, tenant);
const halfway = await cautious.halfway();
const nobody = visitor(server);
const cases = everyPage();

const LINE_BYTES = 14 * 1024;
const TELLING_BYTES = 2 * TELLING;
/** The most bytes of a form. Texts of each kind use an eighth: enough to distinguish linear time from quadratic. */
const limitOf = ({ for: visitors }: (typeof pages)[number]) =>
  visitors === "everybody" ? SIGNED_OUT_FORM_LIMIT : BODY_LIMIT;

/** What a page is called when it does not say how it is visited: `companies/{id}` for `companies/7`. */
function routeOf(method: string, address: string): string | undefined {
  const [plain = ""] = address.split("?");
  const fits = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(plain);
  // A word stands where there is one, and a parameter elsewhere.
  const found = pages.filter((each) => each.method === method && fits(each.path));
  return found.find((each) => each.path === plain)?.path ?? found[0]?.path;
}

/** The names of the fields by the page that they are sent to, as `POST /companies`. */
const fields = new Map<string, Set<string>>();

function note(method: string, address: string, names: Iterable<string>): void {
  const route = routeOf(method, address);
  if (route === undefined) return;
  const known = fields.getOrInsertComputed(`${method} ${route}`, () => new Set());
  for (const name of names) known.add(name);
}

/** The names of the forms and links of a page. */
function noteForms(text: string): void {
  for (const [, attributes = "", inside = ""] of text.matchAll(/<form\b([^>]*)>([^]*?)<\/form>/g)) {
    const method = /method="post"/i.test(attributes) ? "POST" : "GET";
    const names = [...inside.matchAll(/<(?:input|select|textarea|button)\b[^>]*?\bname="([^"]+)"/g)];
    const action = /action="([^"]+)"/.exec(attributes)?.[1] ?? "";
    note(
      method,
      action,
      names.map(([, name = ""]) => name),
    );
  }
  for (const [, address = ""] of text.matchAll(/href="(\/[^"]*\?[^"]*)"/g)) {
    note("GET", address, new URLSearchParams(address.replaceAll("&amp;", "&").split("?")[1]).keys());
  }
}

/** The names that the source reads, and that no form and no link here has: they are sent to every page. */
const everywhere: string[] = [];

type Case = (typeof cases)[number];

async function whoOf({ route, seenBy, endsSession }: Case): Promise<Visitor> {
  if (route.path.startsWith("/sign-in/code")) return halfway;
  if (/^\/(?:operator\/)?sign-in$|^\/invitations/.test(route.path)) return nobody;
  if (endsSession === true) return await signedIn(server, tenant, { role: "admin" });
  return route.for === "operators" || seenBy === "operator" ? operator : admin;
}

test("the pages have forms", async () => {
  for (const each of cases.filter(({ route, isFile }) => route.method === "GET" && isFile === undefined)) {
    const who = await whoOf(each);
    const answer = await who.get((await each.of?.(tenant, who)) ?? each.route.path);
    noteForms(answer.text);
  }
  // Some forms are shown to those who have a second factor.
  const inside = await cautious.halfway();
  await inside.post("/sign-in/code", { code: codeOf(cautious.secret, 1) });
  const { text } = await inside.get("/profile/second-factor");
  assert.match(text, /name="password"/);
  noteForms(text);
  for (const { page, form = {}, route } of cases) {
    const known = fields.getOrInsertComputed(page, () => new Set());
    for (const name of Object.keys(form)) known.add(name);
    if (route.method === "POST" && route.path.endsWith("/sign-in")) known.add("to");
  }
  const sent = new Set(fields.values().flatMap((names) => names));
  assert.ok(sent.size > 80, [...sent].join());
  everywhere.push(...namesRead().filter((name) => !sent.has(name)));
});

/** Every name that the source of a page reads in a form or in an address. */
function namesRead(): string[] {
  const root = path.join(import.meta.dirname, "../..");
  const files = fs.globSync("src/**/*.ts", { cwd: root });
  const texts = files.map((file) => fs.readFileSync(path.join(root, file), "utf8"));
  const source = texts.filter((text) => text.includes('web/page.ts"')).join("\n");
  const read = source.matchAll(/\b(?:query|form)\.(?:get|sent|all|has)\("([\w.-]+)"\)/g);
  return [...new Set([...read].map(([, name = ""]) => name))].toSorted();
}

/** A form as browsers send it, but that what may stand as it is stands so: as much as there is room for. */
function formOf(values: Readonly<Record<string, string | string[]>>): Buffer {
  const escaped = (text: string) => text.replaceAll(/[&%+]/g, (letter) => encodeURIComponent(letter));
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((one) => `${escaped(name)}=${escaped(one)}`),
  );
  return Buffer.from(pairs.join("&"));
}

function requestOf(who: Visitor, method: string, to: string, body?: Buffer): RawRequest {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { accept: "text/html", ...(cookie === "" ? {} : { cookie }) };
  if (body === undefined) return { method, path: to, headers };
  const type = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
  return { method, path: to, headers: { ...headers, ...type }, body };
}

for (const each of cases.filter(({ route }) => route.accepts !== "file")) {
  const { page, route, of, form = {}, endsSession } = each;
  const { method } = route;

  test(`${page} keeps nobody waiting, whatever texts it is sent`, async () => {
    const own = [...(fields.get(page) ?? [])];
    const names = [...own, ...everywhere];
    const to = (await of?.(tenant, admin)) ?? route.path;
    const lasting = await whoOf(each);
    const sending = (what: string, address: string, body?: Buffer): Attempt => ({
      what,
      async attempt() {
        const who = endsSession === true ? await whoOf(each) : lasting;
        const answer = await sendRaw(server.url, requestOf(who, method, address, body));
        assert.ok(answer !== null && ![413, 431].includes(answer.status), `${what}: ${answer?.status}`);
      },
    });
    /** What else the form needs to get far. */
    const base = { ...form, ...(names.includes("workspace") ? { workspace: tenant.slug } : {}) };

    function* groups(): Generator<Attempt[]> {
      if (method === "GET") {
        const inAddress = (name: string, kind: EndlessText) => {
          const value = encodeURIComponent(kind.of(LINE_BYTES / 6).toWellFormed());
          return sending(`${name}, ${kind.name}`, `${to}?${name}=${value}`.slice(0, LINE_BYTES));
        };
        yield names.map((name) => inAddress(name, marks));
        yield own.flatMap((name) => endlessTexts.map((kind) => inAddress(name, kind)));
      } else {
        // In a short form one field may count only where another is empty.
        const isShort = own.length < 5 && own.length > 1;
        yield own.flatMap((name) => {
          const what = `${name} of ${TELLING_BYTES} bytes`;
          const text = { [name]: marks.of(TELLING_BYTES) };
          const beside = sending(what, to, formOf({ ...base, ...text }));
          return isShort ? [beside, sending(`${what} alone`, to, formOf(text))] : [beside];
        });
        const everyField = ({ name: kind, of: text }: EndlessText, bytes: number) => {
          const escaped = Math.max(1, formOf({ a: text(1_000) }).length / 1_000);
          const values = Object.fromEntries(names.map((name) => [name, text(bytes / names.length / escaped)]));
          return sending(`all fields, ${kind}`, to, formOf(values));
        };
        yield [everyField(marks, 0.9 * limitOf(route))];
        yield endlessTexts.map((kind) => everyField(kind, limitOf(route) / 8));
      }
      const parameters = route.path.match(/\{\w+\}/g) ?? [];
      if (parameters.length > 0) {
        yield endlessTexts.map(({ name: kind, of: text }) => {
          const value = encodeURIComponent(text(LINE_BYTES / 6 / parameters.length).toWellFormed());
          return sending(`the path, ${kind}`, route.path.replaceAll(/\{\w+\}/g, value));
        });
      }
    }
    assert.deepEqual(await firstTooCostly(server, groups()), []);
  });
}

test("a form with as many names and values as there is room for keeps nobody waiting", async () => {
  const units = ["a=1&", "&", "=&", "a&", "id=1&id=2&", "%61=%62&"];
  const attempts = units.map((unit) => {
    const sent = (who: Visitor, path: string, bytes: number): Attempt => {
      const request = requestOf(who, "POST", path, Buffer.from(unit.repeat(bytes / unit.length)));
      return { what: `${unit} again and again`, attempt: async () => await sendRaw(server.url, request) };
    };
    return [sent(nobody, "/sign-in", SIGNED_OUT_FORM_LIMIT), sent(admin, "/companies/bulk", BODY_LIMIT)];
  });
  assert.deepEqual(await firstTooCostly(server, attempts), []);
});
