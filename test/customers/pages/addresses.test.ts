import assert from "node:assert/strict";
import { test } from "node:test";
import { addressFields } from "../../../src/customers/addresses/address.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { childPromises } from "./child-promises.ts";

const server = await startServer();

await childPromises(server, {
  table: "addresses",
  fields: addressFields,
  whole: {
    type: "delivery",
    label: "Depozit Țăndărei",
    address: "Strada Depozitelor 4",
    city: "Turda",
    county: "Cluj",
    country: "Moldova",
    postal_code: "401105",
    contact_name: "Radu Ilie",
    phone: "+40 264 555 020",
    delivery_notes: "Ramp 3,\ncall ahead.",
    is_default: "1",
  },
  title: "Depozit Țăndărei",
  wrong: {
    form: { type: "elsewhere", address: "", label: "L".repeat(101), city: "Turda" },
    en: {
      type: "Please choose a value for Type from the list.",
      address: "Address is required.",
      label: "Name can have at most 100 characters.",
    },
    ro: {
      type: "Alegeți din listă o valoare pentru „Tip”.",
      address: "Completați câmpul „Adresă”.",
      label: "„Denumire” poate avea cel mult 100 de caractere.",
    },
  },
  nth: (n) => ({ address: `Strada Lunii ${n}`, city: `Oraș-${n}-` }),
  search: "oras-7-",
  words: "orăș-7- LUNII",
});

test("a new address has the tenant's country, and the kind that the list says", async () => {
  const tenant = await server.createTenant({ country: "Moldova" });
  const member = await signedIn(server, tenant);
  const company = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data.id as number;
  const form = await member.get(`/companies/${company}/addresses/new`, { "accept-language": "ro" });
  assert.match(form.text, /name="country"[^>]* value="Moldova"|value="Moldova"[^>]* name="country"/);
  assert.match(form.text, /<option value="other" selected>Altele<\/option>/);
  const { location } = await member.post(`/companies/${company}/addresses`, { address: "Strada Lunii 3" });
  const page = await member.get(String(location), { "accept-language": "ro" });
  assert.match(page.text, /<dt>Tip<\/dt>\s*<dd>Altele<\/dd>/);
});
