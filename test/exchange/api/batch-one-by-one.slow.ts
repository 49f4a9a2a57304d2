import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer, type Answer, type TestTenant } from "../../harness.ts";
import { fc, runs } from "../../properties.ts";

/**
 * Random items in one batch (docs/contract.md 17) beside the same items, each sent as the write that a client would
 * make of it.
 */
const server = await startServer();
const NOBODY = 888_888;

/** What both tenants have before, by the places at which items name it; behind the last is an id that nobody has. */
type Known = { companies: number[]; ids: number[] };
/** `which` is a place in `ids`, `parent` one in `companies`. */
type Item = { which?: number; parent?: number; [field: string]: unknown };
type Sent = { id?: number; company_id?: number; company_tax_id?: string; [field: string]: unknown };

type Noun = {
  name: string;
  /** Items that clash with each other as often as not. */
  item: fc.Arbitrary<Item>;
  /** Whom the known ones belong to, each as it is created; none: they are the companies. */
  before: readonly (readonly [company: number, fields: object])[];
  /** The rows of a tenant, without what differs between two of them. */
  rows: string;
  /** Which one an item without an id means, by the name that it has; null: a new one. */
  holder: string | null;
};

const which = fc.constantFrom(0, 1, 2, 3);
const parent = fc.constantFrom(0, 1, 2);
const TAX_IDS = ["RO1", " ro2", null];

const nouns: readonly Noun[] = [
  {
    name: "companies",
    item: fc.record(
      {
        which,
        name: fc.constantFrom("A", "B", "", null, 5),
        tax_id: fc.constantFrom("RO1", "ro1", "RO2", " RO2", "RO3", null, 7, "x".repeat(51)),
        city: fc.constantFrom("Cluj", "Turda", null, ["no"]),
        status: fc.constantFrom("active", "none", "churned"),
        phone: fc.constantFrom("0722 1", "0722 2", null, false),
      },
      { requiredKeys: [] },
    ),
    before: [],
    rows: "select name, tax_id, city, status, phone is null from companies where tenant_id = $1",
    holder: "select id::int from companies where tenant_id = $1 and lower(tax_id) = lower(trim($2))",
  },
  {
    name: "contacts",
    item: fc.record(
      {
        which,
        parent,
        first_name: fc.constantFrom("Ana", "Ion", "", 5),
        last_name: fc.constantFrom("Pop", null, "x".repeat(101)),
        is_primary: fc.constantFrom(true, false, "1", null),
        email: fc.constantFrom("a@example.com", "a@", null),
        mobile: fc.constantFrom("0722 1", "0722 2", null),
      },
      { requiredKeys: ["parent"] },
    ),
    before: [
      [0, { first_name: "Ana", last_name: "Pop", mobile: "0722 1" }],
      [0, { first_name: "Ion", last_name: "Pop", is_primary: true }],
      [1, { first_name: "Ana", last_name: "Rus" }],
    ],
    rows: `select c.name, first_name, last_name, is_primary, k.email, mobile is null from contacts k
      join companies c on c.tenant_id = k.tenant_id and c.id = k.company_id where k.tenant_id = $1`,
    holder: null,
  },
  {
    name: "invoices",
    item: fc.record(
      {
        which,
        parent,
        number: fc.constantFrom("1", "2", " 2 ", "3", "4", "", 5),
        total: fc.constantFrom("1.00", "1", 1, "01", null),
        status: fc.constantFrom("draft", "paid", "none"),
        lines: fc.constantFrom(
          [],
          null,
          [{ description: "A", quantity: "1", unit_price: "2.50" }],
          [{ quantity: 1, unit_price: "x" }],
          "none",
        ),
      },
      { requiredKeys: ["parent"] },
    ),
    before: [
      [0, { number: "1", total: "1.00" }],
      [0, { number: "2", lines: [{ description: "A", quantity: "1", unit_price: "2.50" }] }],
      [1, { number: "3", status: "draft" }],
    ],
    rows: `select c.name, number, total::text, i.status, lines::text from invoices i
      join companies c on c.tenant_id = i.tenant_id and c.id = i.company_id where i.tenant_id = $1`,
    holder: "select id::int from invoices where tenant_id = $1 and number = trim($2)",
  },
];

for (const noun of nouns) {
  test(`${noun.name} together leave the rows, and say the messages, of the same items one by one`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(noun.item, { minLength: 1, maxLength: 12 }), async (items) => {
        const [together, apart] = [await server.createTenant(), await server.createTenant()];
        const [known, others] = [await prepare(together, noun), await prepare(apart, noun)];
        const { status, body, text } = await together.post(`/api/v1/${noun.name}/batch`, {
          items: items.map((item) => asSent(known, item)),
        });
        assert.equal(status, 200, text);
        const expected: object[] = [];
        for (const item of items) expected.push(await oneByOne(apart, noun, asSent(others, item)));
        const told = (body.results as { outcome: string; errors?: object; error?: string }[]).map(
          ({ outcome, errors, error }) => ({ outcome, why: errors ?? error ?? null }),
        );
        assert.deepEqual(told, expected);
        assert.deepEqual(await rowsOf(together, noun), await rowsOf(apart, noun));
      }),
      { numRuns: runs(25) },
    );
  });
}

async function prepare(tenant: TestTenant, { name, before }: Noun): Promise<Known> {
  const companies: number[] = [];
  for (const tax_id of ["RO1", "RO2", null]) {
    companies.push((await tenant.post("/api/v1/companies", { name: `C ${tax_id}`, tax_id })).body.data.id);
  }
  const ids: number[] = [];
  for (const [company, fields] of before) {
    ids.push((await tenant.post(`/api/v1/companies/${companies[company]}/${name}`, fields)).body.data.id);
  }
  return { companies, ids: [...(before.length === 0 ? companies : ids), NOBODY] };
}

/**
 * A new child names its company by its tax id, where that has one and the number of members says so, or else by its id.
 */
function asSent({ companies, ids }: Known, { which: place, parent: company, ...fields }: Item): Sent {
  const id = place === undefined ? {} : { id: ids[place] as number };
  if (company === undefined) return { ...id, ...fields };
  const taxId = TAX_IDS[company];
  const isByTaxId = typeof taxId === "string" && Object.keys(fields).length % 2 === 0;
  return {
    ...id,
    ...(isByTaxId ? { company_tax_id: taxId } : { company_id: companies[company] as number }),
    ...fields,
  };
}

/** The write that a client would make of an item. */
async function oneByOne(tenant: TestTenant, { name, holder }: Noun, sent: Sent): Promise<object> {
  const { id, company_id: companyId, company_tax_id: taxId, ...fields } = sent;
  const named = fields[name === "companies" ? "tax_id" : "number"];
  const target = id ?? (holder !== null && typeof named === "string" ? await idOf(tenant, holder, named) : undefined);
  if (target === undefined) {
    const company = companyId ?? (taxId === undefined ? null : await idOf(tenant, String(nouns[0]?.holder), taxId));
    const path = company === null ? "/api/v1/companies" : `/api/v1/companies/${company}/${name}`;
    return asOutcome("created", await tenant.post(path, fields));
  }
  const before = await tenant.get(`/api/v1/${name}/${target}`);
  const answer = await tenant.put(`/api/v1/${name}/${target}`, fields);
  const isChanged = answer.status === 200 && answer.body.data.updated_at !== before.body.data.updated_at;
  return asOutcome(isChanged ? "updated" : "unchanged", answer);
}

async function idOf(tenant: TestTenant, statement: string, named: string): Promise<number | undefined> {
  const [row] = await server.sql(statement, [tenant.id, named]);
  return row === undefined ? undefined : Number(row.id);
}

function asOutcome(outcome: string, { status, body }: Answer): object {
  if (status < 300) return { outcome, why: null };
  return { outcome: "rejected", why: body.errors ?? body.error ?? body.message };
}

async function rowsOf(tenant: TestTenant, { rows }: Noun): Promise<string[]> {
  return (await server.sql(rows, [tenant.id])).map((row) => JSON.stringify(Object.values(row))).toSorted();
}
