import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { exportsInOtherLanguages, type Export } from "./exports-in-other-languages.ts";
import { exportsOfMoreProducts } from "./exports-of-more-products.ts";

const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);

/** Rows of each export. A column with several values has them in turn. */
const ROWS = 50;

/** Columns that have no field. */
const none = (...names: string[]) => names.map((name) => [name, "", ""] as const);

const exports: Export[] = [
  {
    of: "Google Contacts",
    kind: "contacts",
    columns: [
      ["First Name", "Ion", "first_name"],
      ...none("Middle Name"),
      ["Last Name", "Pop", "last_name"],
      ...none("Phonetic First Name", "Phonetic Last Name", "Name Prefix", "Name Suffix", "Nickname", "File As"),
      ["Organization Name", "X SRL", "company_name"],
      ["Organization Title", "Director", "job_title"],
      ["Organization Department", "Sales", "department"],
      ["Birthday", "--05-01\n1980-05-01", "birth_date"],
      ["Notes", "tea", "notes"],
      ["Photo", "https://x.example/a.png", ""],
      ["Labels", "* myContacts", ""],
      ["E-mail 1 - Label", "* Work", ""],
      ["E-mail 1 - Value", "a@x.example ::: b@x.example", "email"],
      ...none("E-mail 2 - Label", "E-mail 2 - Value"),
      ["Phone 1 - Label", "Mobile", ""],
      ["Phone 1 - Value", "+40 722 000 111 ::: +40 722 000 112", "mobile"],
      ["Phone 2 - Label", "Work", ""],
      ["Phone 2 - Value", "+40 257 555 100", "phone"],
      ...none("Address 1 - Label", "Address 1 - Formatted", "Website 1 - Label", "Website 1 - Value"),
    ],
  },
  {
    of: "Google Contacts, older",
    kind: "contacts",
    columns: [
      ["Name", "Ion Pop", ""],
      ["Given Name", "Ion", "first_name"],
      ["Additional Name", "", ""],
      ["Family Name", "Pop", "last_name"],
      ...none("Yomi Name", "Name Prefix", "Nickname", "Initials"),
      ["Birthday", "1980-05-01", "birth_date"],
      ...none("Location"),
      ["Group Membership", "* myContacts", ""],
      ["E-mail 1 - Type", "* Work", ""],
      ["E-mail 1 - Value", "a@x.example", "email"],
      ["Phone 1 - Type", "Work", ""],
      ["Phone 1 - Value", "0264 555 010", "phone"],
      ["Phone 2 - Type", "Mobile", ""],
      ["Phone 2 - Value", "0722 000 111", "mobile"],
      ["Organization 1 - Name", "X SRL", "company_name"],
      ["Organization 1 - Title", "Director", "job_title"],
      ["Organization 1 - Department", "Sales", "department"],
    ],
  },
  {
    of: "Outlook",
    kind: "contacts",
    columns: [
      ["Title", "Dl", ""],
      ["First Name", "Ion", "first_name"],
      ["Last Name", "Pop", "last_name"],
      ["Company", "X SRL", "company_name"],
      ["Department", "Sales", "department"],
      ["Job Title", "Director", "job_title"],
      ["Business Street", "Str. 1", ""],
      ["Business City", "Arad", ""],
      ["Business Fax", "0257 555 101", ""],
      ["Primary Phone", "", ""],
      ["Business Phone", "0257 555 100", "phone"],
      ["Mobile Phone", "0722 000 111", "mobile"],
      ["Home Phone", "0257 111 222", ""],
      ["Anniversary", "0/0/00", ""],
      ["Birthday", "5/31/1980", "birth_date"],
      ["E-mail Address", "a@x.example", "email"],
      ["E-mail Type", "SMTP", ""],
      ["E-mail Display Name", "Ion Pop (a@x.example)", ""],
      ["Gender", "Male", "gender"],
      ["Notes", "tea", "notes"],
    ],
  },
  {
    of: "HubSpot, companies",
    kind: "companies",
    columns: [
      ["Record ID", "9001", ""],
      ["Company name", "X SRL", "name"],
      ["Company owner", "Ana Pop", "assigned_to"],
      ["Create Date", "2026-11-01 10:00", ""],
      ["Phone Number", "+40722000111", "phone"],
      ...none("Last Activity Date"),
      ["City", "Arad", "city"],
      ["Country/Region", "Romania", "country"],
      ["Industry", "FOOD", "industry"],
      ["Number of Employees", "50.0", "employee_count"],
      ["Street Address", "Str. 1", "address"],
      ["Postal Code", "310001", "postal_code"],
      ["State/Region", "Arad", "county"],
      ["Website URL", "x.example", "website"],
      ["LinkedIn Company Page", "https://linkedin.example/x", ""],
    ],
  },
  {
    of: "HubSpot, contacts",
    kind: "contacts",
    columns: [
      ["Record ID", "51", ""],
      ["First Name", "Ion", "first_name"],
      ["Last Name", "Pop", "last_name"],
      ["Email", "a@x.example", "email"],
      ["Phone Number", "+40722000111", "phone"],
      ["Contact owner", "Ana Pop", ""],
      ["Lead Status", "NEW", ""],
      ["Create Date", "2026-11-01 10:00", ""],
      ["Associated Company", "X SRL", "company_name"],
      ["Associated Company IDs", "9001", ""],
    ],
  },
  {
    of: "Pipedrive, persons",
    kind: "contacts",
    columns: [
      ["Person - ID", "12", ""],
      ["Person - Name", "Ion Pop", "full_name"],
      ["Person - Organization", "X SRL", "company_name"],
      ["Person - Email - Work", "a@x.example, b@x.example", "email"],
      ...none("Person - Email - Home"),
      ["Person - Phone - Work", "'+40257555100", "phone"],
      ["Person - Phone - Mobile", "'+40722000111", "mobile"],
      ["Person - Owner", "Ana", ""],
      ["Person - Person created", "2026-11-01 10:00:00", ""],
    ],
  },
  {
    of: "Pipedrive, organizations",
    kind: "companies",
    columns: [
      ["Organization - ID", "7", ""],
      ["Organization - Name", "X SRL", "name"],
      ["Organization - Label", "Customer", ""],
      ["Organization - Address", "Str. 1, Arad", "address"],
      ["Organization - City/town/village/locality of Address", "Arad", "city"],
      ["Organization - Country of Address", "Romania", "country"],
      ["Organization - ZIP/Postal code of Address", "310001", "postal_code"],
      ["Organization - Owner", "Ana Pop", "assigned_to"],
    ],
  },
  {
    of: "Salesforce, accounts",
    kind: "companies",
    columns: [
      ["Account ID", "0015g00000AbCdE", ""],
      ["Account Name", "X SRL", "name"],
      ["Account Owner", "Ana Pop", "assigned_to"],
      ["Billing Street", "Str. 1", "address"],
      ["Billing City", "Arad", "city"],
      ["Billing State/Province", "Arad", "county"],
      ["Billing Zip/Postal Code", "310001", "postal_code"],
      ["Billing Country", "Romania", "country"],
      ["Shipping Street", "Str. 2", ""],
      ["Shipping City", "Cluj", ""],
      ["Phone", "0257 555 101", "phone"],
      ["Fax", "0257 555 102", ""],
      ["Website", "https://x.example", "website"],
      ["Industry", "Food", "industry"],
      ["Employees", "1,200", "employee_count"],
      ["Annual Revenue", "1.234.567,00", ""],
      ["Type", "Customer - Direct", ""],
      ["Last Modified Date", "11/25/2026", ""],
    ],
  },
  {
    of: "Salesforce, by its API",
    kind: "companies",
    columns: [
      ["Id", "001", ""],
      ["Name", "X SRL", "name"],
      ["BillingStreet", "Str. 1", "address"],
      ["BillingCity", "Arad", "city"],
      ["BillingPostalCode", "310001", "postal_code"],
      ["BillingCountry", "Romania", "country"],
      ["NumberOfEmployees", "12", "employee_count"],
      ["OwnerId", "005A", ""],
      ["CreatedDate", "2026-11-01", ""],
    ],
  },
  {
    of: "Salesforce, contacts",
    kind: "contacts",
    columns: [
      ["Contact ID", "003", ""],
      ["Salutation", "Mr.", ""],
      ["First Name", "Ion", "first_name"],
      ["Last Name", "Pop", "last_name"],
      ["Title", "Director", "job_title"],
      ["Account Name", "X SRL", "company_name"],
      ["Mailing Street", "Str. 1", ""],
      ["Mailing City", "Arad", ""],
      ["Mailing Zip/Postal Code", "310001", ""],
      ["Phone", "0257 555 100", "phone"],
      ["Fax", "0257 555 101", ""],
      ["Mobile", "0722 000 111", "mobile"],
      ["Email", "a@x.example", "email"],
      ["Contact Owner", "Ana Pop", ""],
      ["Department", "Sales", "department"],
      ["Birthdate", "11/25/1980", "birth_date"],
    ],
  },
  {
    of: "Odoo",
    kind: "companies",
    columns: [
      ["id", "__export__.res_partner_12", ""],
      ["name", "X SRL", "name"],
      ["is_company", "True", ""],
      ["vat", "RO 1854 7290", "tax_id"],
      ["phone", "+40 257 555 100", "phone"],
      ["email", "a@x.example", "email"],
      ["street", "Str. 1", "address"],
      ["zip", "310001", "postal_code"],
      ["city", "Arad", "city"],
      ["state_id/name", "Arad", "county"],
      ["country_id/name", "Romania", "country"],
      ["user_id/name", "Ana Pop", "assigned_to"],
      ["category_id", "Client", ""],
    ],
  },
  {
    of: "Odoo, with labels",
    kind: "companies",
    columns: [
      ["External ID", "p1", ""],
      ["Display Name", "X SRL", "name"],
      ["Phone", "0257 555 100", "phone"],
      ["Email", "a@x.example", "email"],
      ["Salesperson", "Ana Pop", "assigned_to"],
      ["Street", "Str. 1", "address"],
      ["City", "Arad", "city"],
      ["State", "Arad", "county"],
      ["Zip", "310001", "postal_code"],
      ["Country", "Romania", "country"],
      ["Company", "My Company", ""],
      ["Tax ID", "RO18547290", "tax_id"],
    ],
  },
  {
    of: "Twenty, companies",
    kind: "companies",
    columns: [
      ["Id", "8a1f", ""],
      ["Name", "X SRL", "name"],
      ["Domain Name / Link URL", "https://x.example", "website"],
      ["Linkedin / Link URL", "https://linkedin.example/x", ""],
      ["X / Link URL", "https://x.example/x", ""],
      ["Employees", "12", "employee_count"],
      ["Address / Address 1", "Str. 1", "address"],
      ["Address / City", "Arad", "city"],
      ["Address / Post Code", "310001", "postal_code"],
      ["Address / Country", "Romania", "country"],
    ],
  },
  {
    of: "Twenty, people",
    kind: "contacts",
    columns: [
      ["Id", "8a1f", ""],
      ["Name / First Name", "Ion", "first_name"],
      ["Name / Last Name", "Pop", "last_name"],
      ["Emails / Primary Email", "a@x.example", "email"],
      ["Phones / Primary Phone Number", "722000111", "phone"],
      ["Phones / Primary Phone Calling Code", "+40", ""],
      ["Job Title", "Director", "job_title"],
      ["Company / Name", "X SRL", "company_name"],
      ["Linkedin / Link URL", "https://linkedin.example/x", ""],
    ],
  },
  {
    of: "Pipedrive, deals",
    kind: "deals",
    columns: [
      ["Deal - ID", "1", ""],
      ["Deal - Title", "Offer", "title"],
      ["Deal - Organization", "X SRL", "company_name"],
      ["Deal - Value", "1200", "amount"],
      ["Deal - Currency", "EUR", "currency"],
      ["Deal - Expected close date", "2026-11-30", "ends_on"],
    ],
  },
  {
    of: "Odoo, invoices",
    kind: "invoices",
    columns: [
      ["Number", "INV/2026/00001", "number"],
      ["Invoice Partner Display Name", "X SRL", "company_name"],
      ["Invoice/Bill Date", "2026-11-25", "issued_on"],
      ["Due Date", "2026-12-25", "due_on"],
      ["Untaxed Amount Signed", "1000.00", ""],
      ["Total in Currency Signed", "1190.00", "total"],
      ["Currency", "RON", "currency"],
    ],
  },
  {
    of: "Zoho, accounts",
    kind: "companies",
    columns: [
      ["Record Id", "zcrm_1", ""],
      ["Account Name", "X SRL", "name"],
      ["Account Owner", "Ana Pop", "assigned_to"],
      ["Billing Street", "Str. 1", "address"],
      ["Billing City", "Arad", "city"],
      ["Billing Code", "310001", "postal_code"],
      ["Shipping Code", "310002", ""],
    ],
  },
];

for (const { of, kind, columns } of [...exports, ...exportsInOtherLanguages, ...exportsOfMoreProducts]) {
  test(`each column of an export that has a field is found, and no other: ${of}`, async () => {
    const cells = columns.map(([, value]) => value.split("\n"));
    const lines = Array.from({ length: ROWS }, (_none, row) =>
      cells.map((values) => values[row % values.length] ?? ""),
    );
    const csv = [columns.map(([name]) => name), ...lines]
      .map((row) => row.map((cell) => `"${cell}"`).join(","))
      .join("\n");
    const { location } = await member.upload("/imports", {}, { "export.csv": Buffer.from(csv) });
    const { text } = await member.get(String(location));
    assert.equal(/<select id="kind".*?<option value="(\w+)" selected>/s.exec(text)?.[1], kind);
    const found = [...text.matchAll(/<select id="column\.(\d+)".*?<\/select>/gs)].map(([select, index]) => {
      const field = /<option value="([^"]*)" selected>/.exec(select)?.[1] ?? "";
      return `${columns[Number(index)]?.[0]}: ${field}`;
    });
    assert.deepEqual(
      found,
      columns.map(([name, , field]) => `${name}: ${field}`),
    );
  });
}
