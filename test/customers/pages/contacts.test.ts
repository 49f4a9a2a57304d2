import assert from "node:assert/strict";
import { test } from "node:test";
import { contactFields } from "../../../src/customers/contacts/contact.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { childPromises } from "./child-promises.ts";

const server = await startServer();

await childPromises(server, {
  table: "contacts",
  fields: contactFields,
  whole: {
    first_name: "Ștefan",
    last_name: "Țurcanu",
    email: "stefan@example.com",
    phone: "+40 264 555 011",
    mobile: "0722 555 011",
    position: "Purchasing",
    department: "Stores",
    job_title: "Head of stores",
    is_primary: "1",
    is_decision_maker: "0",
    preferred_language: "en",
    notes: "First line.\nSecond line.",
    birth_date: "1985-03-14",
    gender: "male",
    timezone: "Europe/Bucharest",
  },
  title: "Ștefan Țurcanu",
  wrong: {
    form: { first_name: "", last_name: "Marin", email: "nonsense", birth_date: "1985-02-30", notes: "Kept" },
    en: {
      first_name: "First name is required.",
      email: "E-mail must be an e-mail address, such as ana@example.com.",
      birth_date: "Birthday must be a day that exists, such as 2026-12-01.",
    },
    ro: {
      first_name: "Completați câmpul „Prenume”.",
      email: "„E-mail” trebuie să fie o adresă de e-mail, de exemplu ana@example.com.",
      birth_date: "„Zi de naștere” trebuie să fie o zi care există, de exemplu 2026-12-01.",
    },
  },
  nth: (n) => ({ first_name: `Ion${n}`, last_name: "Marin", email: `ion-${n}-@example.com` }),
  search: "ION-7-",
  words: "MARIN ion7",
});

const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const company = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data.id as number;

async function contact(fields: object): Promise<string> {
  const made = await tenant.post(`/api/v1/companies/${company}/contacts`, {
    first_name: "Ion",
    last_name: "Marin",
    ...fields,
  });
  return `/contacts/${made.body.data.id}`;
}

test("a phone number dials and an e-mail address opens a message, and neither does more", async () => {
  for (const [fields, link] of [
    [{ phone: "+40 (264) 555-011" }, `<a href="tel:+40264555011">+40 (264) 555-011</a>`],
    [{ mobile: "*31#0722 555" }, `<a href="tel:*31%230722555">*31#0722 555</a>`],
    [{ phone: "ask Ana" }, `<dd>ask Ana<button`],
    [{ email: "a+b@example.com" }, `<a href="mailto:a%2Bb@example.com" title="a+b@example.com">a+b@example.com</a>`],
    [
      { email: "a&bcc=x@example.com" },
      `<a href="mailto:a%26bcc%3Dx@example.com" title="a&amp;bcc=x@example.com">a&amp;bcc=x@example.com</a>`,
    ],
  ] as const) {
    const page = await member.get(await contact(fields));
    assert.ok(page.text.includes(link), `${JSON.stringify(fields)}\n${page.text}`);
  }
});

test("a contact's language is called by its name, in the page's language, and stays what it was", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const { id } = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data;
  const person = { first_name: "Ion", last_name: "Marin" };
  const { data } = (await tenant.post(`/api/v1/companies/${id}/contacts`, person)).body;
  const path = `/contacts/${data.id}`;
  assert.match((await member.get(path)).text, /<dt>Language<\/dt>\n<dd>Romanian<\/dd>/);
  assert.match((await member.get(path, { "accept-language": "ro" })).text, /<dt>Limbă<\/dt>\n<dd>Română<\/dd>/);
  assert.match((await member.get(`${path}/edit`)).text, /<option value="ro" selected>Romanian<\/option>/);
  await tenant.put(`/api/v1${path}`, { preferred_language: "ro-MD" });
  assert.match((await member.get(path)).text, /<dd>ro-MD<\/dd>/);
  assert.match((await member.get(`${path}/edit`)).text, /<option value="ro-MD" selected>ro-MD<\/option>/);
});
