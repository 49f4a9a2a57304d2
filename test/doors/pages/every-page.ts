import assert from "node:assert/strict";
import { pages } from "../../../src/doors/pages.ts";
import type { TestTenant } from "../../harness.ts";
import { callCases } from "./call-cases.ts";
import { exchangeCases } from "./exchange-cases.ts";
import { fieldCases } from "./field-cases.ts";
import { moneyCases } from "./money-cases.ts";
import { needCases } from "./need-cases.ts";
import { operatorCases } from "./operator-cases.ts";
import type { PageCase } from "./page-case.ts";
import { pendingCases } from "./pending-cases.ts";
import { signInCases } from "./sign-in-cases.ts";
import type { Visitor } from "./visitor.ts";

let companies = 0;
/** A name that no company has: the form asks about others. */
const newCompany = {
  get name(): string {
    return `Company ${++companies}`;
  },
};

const company = async (tenant: TestTenant) => (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data.id;

const pairOf = (path: string) => async (tenant: TestTenant) =>
  `/companies/${await company(tenant)}/${path}/${await company(tenant)}`;
/** Two companies, the second to be merged into the first. */
const merging = async (tenant: TestTenant) => `/companies/${await company(tenant)}/merge?with=${await company(tenant)}`;
/** Two contacts of one company. */
const mergingContacts = async (tenant: TestTenant) => {
  const path = `/api/v1/companies/${await company(tenant)}/contacts`;
  const ids = [];
  for (const last_name of ["Pop", "Popescu"]) {
    ids.push((await tenant.post(path, { first_name: "Ana", last_name })).body.data.id);
  }
  return `/contacts/${ids[0]}/merge?with=${ids[1]}`;
};
const merged = async (tenant: TestTenant) => {
  const made = await tenant.post(`/api/v1/companies/${await company(tenant)}/merge`, { from: await company(tenant) });
  return `/merges/${made.body.meta.merge_id}/undo`;
};

const children = {
  contacts: { first_name: "Ion", last_name: "Marin" },
  addresses: { address: "Strada Lunii 3" },
};

/** The path of a new child of a new company, and what stands behind it. */
const child = (table: keyof typeof children, rest: string) => async (tenant: TestTenant) => {
  const made = await tenant.post(`/api/v1/companies/${await company(tenant)}/${table}`, children[table]);
  return `/${table}/${made.body.data.id}${rest}`;
};

const user = (rest: string) => async (tenant: TestTenant) => `/users/${await tenant.createUser()}${rest}`;
const ownSession = async (_tenant: TestTenant, who: Visitor) => {
  const { text } = await who.get("/profile");
  const [, path] = /action="(\/profile\/sessions\/\d+\/end)"/.exec(text) ?? [];
  assert.ok(path, text);
  return path;
};
/** The path of an activity that a visitor writes, since nobody else finds it; of one who may not, there is none. */
const activity = (rest: string) => async (tenant: TestTenant, who: Visitor) => {
  const path = `/companies/${await company(tenant)}`;
  await who.post(`${path}/activities`, { kind: "note", note: "Said" });
  const [, own = "999999999"] = /href="\/activities\/(\d+)"/.exec((await who.get(path)).text) ?? [];
  return `/activities/${own}${rest}`;
};

let views = 0;
const formerViews = new WeakMap<Visitor, string>();

/** The path of a view of a visitor, who has 20 at most and finds no other's; of one who may not, there is none. */
const view = (list: string, rest: string) => async (_tenant: TestTenant, who: Visitor) => {
  const filters = `search=v${++views}`;
  const former = formerViews.get(who);
  if (former !== undefined) await who.post(`${former}/delete`);
  await who.post(`/${list}/views`, { name: `View ${views}`, filters, for: rest === "/delete" ? "all" : "me" });
  const { text } = await who.get(`/${list}?${filters}`);
  const [, own = "999999999"] = new RegExp(`href="/${list}/views/(\\d+)"`).exec(text) ?? [];
  formerViews.set(who, `/${list}/views/${own}`);
  return `/${list}/views/${own}${rest}`;
};

/** What every list has (src/kit/tables/list-pages.ts). */
const listCases = (list: string): PageCase[] => [
  { page: `GET /${list}` },
  { page: `GET /${list}/export`, isFile: true },
  { page: `POST /${list}/export`, form: { id: "1" }, status: 200 },
  { page: `POST /${list}/columns`, form: { column: "city" } },
  { page: `POST /${list}/views`, form: { name: `Theirs of ${list}`, filters: "search=Cluj" } },
  { page: `GET /${list}/views/{id}`, of: view(list, "") },
  { page: `POST /${list}/views/{id}`, of: view(list, ""), form: { name: `Renamed of ${list}` } },
  { page: `POST /${list}/views/{id}/delete`, of: view(list, "/delete") },
];

/** The rows of a noun that belongs to a company. */
const childCases = (table: keyof typeof children): PageCase[] => {
  const list = async (tenant: TestTenant) => `/companies/${await company(tenant)}/${table}`;
  return [
    { page: `GET /companies/{id}/${table}`, of: list },
    { page: `POST /companies/{id}/${table}`, of: list, form: children[table] },
    { page: `GET /companies/{id}/${table}/new`, of: async (tenant) => `${await list(tenant)}/new` },
    { page: `GET /${table}/{id}`, of: child(table, "") },
    { page: `POST /${table}/{id}`, of: child(table, ""), form: children[table] },
    { page: `GET /${table}/{id}/edit`, of: child(table, "/edit") },
    { page: `POST /${table}/{id}/delete`, of: child(table, "/delete") },
    { page: `POST /${table}/{id}/restore`, of: child(table, "/restore") },
  ];
};

let invoices = 0;

const invoice = async (tenant: TestTenant, total = "12.50") => {
  const lines = [{ description: "Pallet", quantity: "2", unit_price: "6.25" }];
  const number = `P-${++invoices}`;
  const fields = { number, total, currency: "RON", issued_on: "2026-11-20", lines };
  return (await tenant.post(`/api/v1/companies/${await company(tenant)}/invoices`, fields)).body.data;
};

export const pageCases: readonly PageCase[] = [
  ...signInCases,
  { page: "GET /today" },
  ...needCases(company, invoice),
  {
    page: "POST /companies/{id}/call-back",
    of: async (tenant) => `/companies/${await company(tenant)}/call-back`,
    form: { when: "week" },
  },
  ...callCases(company),
  { page: "GET /find" },
  ...listCases("companies"),
  { page: "POST /companies", form: newCompany },
  { page: "POST /companies/bulk", form: { status: "active" } },
  { page: "POST /companies/connect" },
  { page: "GET /companies/new" },
  { page: "POST /companies/look-up", status: 200 },
  { page: "GET /companies/{id}/look-up", of: async (tenant) => `/companies/${await company(tenant)}/look-up` },
  { page: "GET /companies/{id}", of: async (tenant) => `/companies/${await company(tenant)}` },
  { page: "POST /companies/{id}", of: async (tenant) => `/companies/${await company(tenant)}`, form: { name: "B" } },
  {
    page: "GET /companies/{id}/invoices/new",
    of: async (tenant) => `/companies/${await company(tenant)}/invoices/new`,
    status: 303,
  },
  { page: "GET /companies/{id}/delete", of: async (tenant) => `/companies/${await company(tenant)}/delete` },
  { page: "POST /companies/{id}/delete", of: async (tenant) => `/companies/${await company(tenant)}/delete` },
  { page: "POST /companies/{id}/restore", of: async (tenant) => `/companies/${await company(tenant)}/restore` },
  { page: "GET /companies/alike" },
  { page: "POST /companies/{id}/not-alike/{other}", of: pairOf("not-alike") },
  { page: "POST /companies/{id}/alike/{other}", of: pairOf("alike") },
  { page: "GET /companies/{id}/merge", of: merging },
  { page: "POST /companies/{id}/merge", of: merging },
  { page: "GET /contacts/{id}/merge", of: mergingContacts },
  { page: "POST /contacts/{id}/merge", of: mergingContacts },
  { page: "GET /merges/{id}/undo", of: merged },
  { page: "POST /merges/{id}/undo", of: merged },
  { page: "GET /companies/{id}/edit", of: async (tenant) => `/companies/${await company(tenant)}/edit` },
  ...listCases("contacts"),
  { page: "POST /contacts/bulk" },
  ...childCases("contacts"),
  ...childCases("addresses"),
  { page: "GET /contacts/{id}/export", of: child("contacts", "/export"), isFile: true },
  { page: "GET /contacts/{id}/erase", of: child("contacts", "/erase") },
  { page: "POST /contacts/{id}/erase", of: child("contacts", "/erase") },
  { page: "GET /history" },
  {
    page: "GET /history/{id}",
    of: async (tenant) => {
      const path = `/api/v1/companies/${await company(tenant)}/history`;
      return `/history/${(await tenant.get(path)).body.data[0].id}`;
    },
  },
  {
    page: "POST /companies/{id}/activities",
    of: async (tenant) => `/companies/${await company(tenant)}/activities`,
    form: { kind: "call" },
  },
  { page: "GET /activities/{id}", of: activity("") },
  { page: "POST /activities/{id}", of: activity(""), form: { kind: "note", note: "Mended" } },
  { page: "POST /activities/{id}/delete", of: activity("/delete") },
  { page: "POST /contacts/{id}/activities", of: child("contacts", "/activities"), form: { kind: "call" } },
  { page: "GET /profile" },
  { page: "POST /profile", form: { theme: "system" } },
  { page: "POST /profile/password", form: { password: "short" }, status: 422 },
  { page: "GET /profile/second-factor" },
  { page: "POST /profile/second-factor" },
  // It was begun by the row above.
  { page: "POST /profile/second-factor/confirm", form: { code: "nonsense" }, status: 422 },
  { page: "POST /profile/digest", form: { on: "no" } },
  { page: "POST /profile/second-factor/end", form: { code: "nonsense" }, status: 422 },
  { page: "POST /profile/sessions/end-others" },
  { page: "POST /profile/sessions/{id}/end", of: ownSession, endsSession: true },
  ...operatorCases,
  { page: "GET /users" },
  { page: "POST /users", form: { email: "nobody" }, status: 422 },
  { page: "GET /users/new" },
  {
    page: "POST /users/invitations/{id}/revoke",
    of: async (tenant) => `/users/invitations/${(await tenant.invite()).id}/revoke`,
  },
  { page: "GET /users/{id}", of: user("") },
  { page: "POST /users/{id}", of: user(""), form: { role: "member" } },
  { page: "GET /users/{id}/deactivate", of: user("/deactivate") },
  { page: "GET /users/{id}/second-factor/reset", of: user("/second-factor/reset"), status: 303 },
  { page: "POST /users/{id}/deactivate", of: user("/deactivate") },
  { page: "POST /users/{id}/reactivate", of: user("/reactivate") },
  { page: "POST /users/{id}/password-link", of: user("/password-link"), status: 200 },
  { page: "POST /users/{id}/second-factor/reset", of: user("/second-factor/reset") },
  { page: "GET /workspace" },
  { page: "POST /workspace", form: { name: "Acme" } },
  { page: "GET /workspace/logo", status: 404 },
  { page: "POST /workspace/logo", status: 422 },
  { page: "GET /workspace/warehouses" },
  { page: "POST /workspace/warehouses", form: { wms_subdomain: "north", wms_api_key: "key-of-the-warehouse" } },
  { page: "POST /workspace/warehouses/test" },
  { page: "GET /workspace/warehouses/replace" },
  {
    page: "POST /workspace/warehouses/replace",
    form: { replaced: "north", wms_subdomain: "south", wms_api_key: "key-of-the-warehouse" },
  },
  { page: "GET /workspace/warehouses/remove" },
  { page: "POST /workspace/warehouses/remove" },
  ...exchangeCases,
  ...fieldCases,
  ...pendingCases,
  {
    page: "GET /companies/{id}/invoices",
    of: async (tenant) => `/companies/${(await invoice(tenant)).company_id}/invoices`,
  },
  { page: "GET /invoices/new" },
  { page: "GET /invoices/earlier-lines", isFile: true },
  { page: "POST /invoices", form: { number: "" }, status: 404 },
  { page: "GET /invoices/{id}/edit", of: async (tenant) => `/invoices/${(await invoice(tenant)).id}/edit` },
  {
    page: "POST /invoices/{id}/edit",
    of: async (tenant) => `/invoices/${(await invoice(tenant)).id}/edit`,
    form: { due_on: "2026-12-24" },
  },
  ...moneyCases(company, invoice),
  { page: "GET /invoices/{id}/copy", of: async (tenant) => `/invoices/${(await invoice(tenant)).id}/copy` },
  { page: "GET /invoices/{id}/cancel", of: async (tenant) => `/invoices/${(await invoice(tenant)).id}/cancel` },
  {
    page: "POST /invoices/{id}/status",
    of: async (tenant) => `/invoices/${(await invoice(tenant)).id}/status`,
    form: { step: "pay" },
  },
  { page: "GET /invoices/{id}", of: async (tenant) => `/invoices/${(await invoice(tenant)).id}` },
  { page: "GET /invoices/{id}/pdf", of: async (tenant) => `/invoices/${(await invoice(tenant)).id}/pdf`, isFile: true },
  { page: "GET /invoices/{id}/mail", of: async (tenant) => `/invoices/${(await invoice(tenant)).id}/mail` },
  {
    page: "POST /invoices/{id}/mail",
    of: async (tenant) => `/invoices/${(await invoice(tenant)).id}/mail`,
    form: { to: "a@b.example", subject: "a", text: "a" },
    // These servers send no mail.
    status: 422,
  },
  { page: "GET /invoices/{id}/send", of: async (tenant) => `/invoices/${(await invoice(tenant, "13")).id}/send` },
  { page: "POST /invoices/{id}/send", of: async (tenant) => `/invoices/${(await invoice(tenant)).id}/send` },
  {
    page: "POST /invoices/{id}/send-again",
    of: async (tenant) => `/invoices/${(await invoice(tenant)).id}/send-again`,
  },
  ...["settle", "unsettle", "cancel-there"].map((act) => ({
    page: `POST /invoices/{id}/${act}`,
    of: async (tenant: TestTenant) => `/invoices/${(await invoice(tenant)).id}/${act}`,
  })),
  {
    page: "POST /invoices/{id}/none-elsewhere",
    of: async (tenant) => `/invoices/${(await invoice(tenant)).id}/none-elsewhere`,
  },
  ...listCases("orders"),
  { page: "POST /orders/send", form: { id: ["1", "2"] } },
  { page: "POST /orders/bulk" },
  { page: "POST /orders/pay", form: { id: ["1", "2"], paid_on: "2026-11-20" } },
  { page: "POST /orders/redrive" },
  { page: "POST /orders/try", form: { subdomain: "north" } },
  { page: "GET /warehouse/reconfirm" },
  { page: "POST /warehouse/reconfirm", form: { grade: "exact" } },
  { page: "GET /companies/{id}/warehouse", of: async (tenant) => `/companies/${await company(tenant)}/warehouse` },
  {
    page: "POST /companies/{id}/warehouse",
    of: async (tenant) => `/companies/${await company(tenant)}/warehouse`,
    form: { wms_subdomain: "north", wms_api_key: "key-of-the-warehouse" },
  },
  {
    page: "POST /companies/{id}/warehouse/test",
    of: async (tenant) => `/companies/${await company(tenant)}/warehouse/test`,
  },
  {
    page: "GET /companies/{id}/warehouse/remove",
    of: async (tenant) => `/companies/${await company(tenant)}/warehouse/remove`,
    status: 303,
  },
  {
    page: "POST /companies/{id}/warehouse/remove",
    of: async (tenant) => `/companies/${await company(tenant)}/warehouse/remove`,
  },
];

/** Pages and their cases; throws where one lacks the other. */
export function everyPage() {
  const known = pages.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(
    pageCases.map(({ page }) => page).toSorted(),
    known.toSorted(),
    "test/doors/pages/every-page.ts has a row for every page of src/doors/pages.ts, and for no other",
  );
  return pages.map((route) => {
    const found = pageCases.find(({ page }) => page === `${route.method} ${route.path}`);
    assert.ok(found);
    return Object.assign({ route }, found);
  });
}
