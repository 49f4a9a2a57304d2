import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../doors/api/resources.ts";
import { TEXTS } from "./bank-texts.ts";
import { startImportServer } from "./import-server.ts";

/** What docs/csv.md promises of payments: by the number of their invoice, or by the text of a bank's transfer. */
const server = await startImportServer();
const none = { created: 0, updated: 0, rejected: [] };

async function tenantWith(totals: Readonly<Record<string, string>>) {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company"]);
  const paths: Record<string, string> = {};
  for (const [number, total] of Object.entries(totals)) {
    const { data } = (await tenant.post(`/api/v1/companies/${Company}/invoices`, { number, total, currency: "RON" }))
      .body;
    paths[number] = `/api/v1/invoices/${data.id}`;
  }
  const state = async (number: string) => {
    const { status, paid = "0" } = (await tenant.get(String(paths[number]))).body.data;
    return [status, Number(paid)];
  };
  return { tenant, state };
}

test("a file of payments names invoices by their numbers; the same file, or one that overlaps, adds what is new", async () => {
  const { tenant, state } = await tenantWith({ "A-1": "100.00", "A-2": "50.00" });
  const header = "invoice_number,amount,paid_on,means,reference";
  const csv = `${header}\nA-1,40.00,2026-11-02,bank,OP 1\nA-2,20,2026-11-02,cash,\nA-2,20,2026-11-02,cash,\n`;
  assert.deepEqual(await server.importText(tenant, "payments", csv), { ...none, created: 3 });
  assert.deepEqual(
    [await state("A-1"), await state("A-2")],
    [
      ["issued", 40],
      ["issued", 40],
    ],
  );
  assert.deepEqual(await server.importText(tenant, "payments", csv), { ...none, updated: 3 });
  const longer = `${csv}A-2,20,2026-11-02,cash,\nA-1,60,2026-11-05,bank,OP 2\nB-9,1,2026-11-05,bank,\nA-1,0,2026-11-05,bank,\n`;
  const { created, updated, rejected } = await server.importText(tenant, "payments", longer);
  assert.deepEqual([created, updated], [2, 3]);
  assert.deepEqual(rejected, [
    { line: 7, errors: { row: ["There is no invoice B-9."] } },
    { line: 8, errors: { amount: ["The amount field must not be 0."] } },
  ]);
  assert.deepEqual(
    [await state("A-1"), await state("A-2")],
    [
      ["paid", 100],
      ["paid", 60],
    ],
  );
});

test("an import that goes on at a later line records payments that are equal to earlier ones", async () => {
  const { tenant, state } = await tenantWith({ "A-1": "100.00", "A-2": "100.00" });
  const transfer = "20.00,2026-11-02,cash,,,factura A-2";
  const header = "amount,paid_on,means,reference,invoice_number,text";
  const row = "20.00,2026-11-02,cash,,A-1,";
  const first = `${header}\n${row}\n${transfer}\n`;
  assert.equal((await server.importText(tenant, "payments", first)).created, 2);
  const file = server.file(`${first}${row}\n${transfer}\n`);
  for (const created of [2, 0]) {
    const args = ["import", "payments", "--tenant", tenant.slug, file, "--json", "--from-line", "4"];
    const { code, stdout, stderr } = await server.run(...args);
    assert.deepEqual({ code, stderr, created: JSON.parse(stdout).created }, { code: 0, stderr: "", created });
    assert.deepEqual(
      [await state("A-1"), await state("A-2")],
      [
        ["issued", 40],
        ["issued", 40],
      ],
    );
  }
});

test("a file is the same whether its accents are letters' own or marks behind them", async () => {
  const { tenant, state } = await tenantWith({ "ȘȚ-1": "100.00" });
  const csv = "invoice_number,amount,paid_on,reference\nȘȚ-1,40.00,2026-11-02,plată\n";
  assert.equal((await server.importText(tenant, "payments", csv.normalize("NFD"))).created, 1);
  for (const form of ["NFD", "NFC"]) {
    assert.deepEqual(await server.importText(tenant, "payments", csv.normalize(form)), { ...none, updated: 1 });
    assert.deepEqual(await state("ȘȚ-1"), ["issued", 40]);
  }
  const odd = "invoice_id,amount,paid_on\nȘȚ-1,40.00,2026-11-02\n";
  const [refused] = (await server.importText(tenant, "payments", odd)).rejected;
  assert.deepEqual(Object.keys(refused?.errors ?? {}), ["invoice_id"]);
});

test("a bank's transfer names invoices in its text, in any common writing; an amount alone names none", async () => {
  const writings = [
    "Factura DMO-2026-1010",
    "plata fact dmo 2026 1011 din 18.10.2026",
    "CV. FACT. DMO2026/1012",
    "fact.DMO-20261013 multumim",
    "/ROC/DMO-2026-1014 HOTEL CENTRAL SRL",
    "inv no. dmo_2026_1015",
    "CVAL FACTURI DMO-2026-1016;avans",
    "Plată factură DMO 2026-01017",
    "DMO.2026.1018 18/10/2026 600.00",
    "ordin de plata 4711 - DMO-2026-1019",
  ];
  const numbers = writings.map((_, index) => `DMO-2026-${1010 + index}`);
  const { tenant, state } = await tenantWith({
    ...Object.fromEntries(numbers.map((number) => [number, "600.00"])),
    "77001": "80.00",
    "DMO-2026-2001": "30.00",
    "DMO-2026-2002": "70.00",
  });
  const rows = [
    ...writings.map((text) => `600.00,2026-11-05,${text}`),
    "80.00,2026-11-06,factura 77001",
    "100.00,2026-11-06,DMO-2026-2001 si DMO-2026-2002",
    "600.00,2026-11-06,plata marfa octombrie",
    "77001.00,2026-11-06,transfer 77001 lei",
    "90.00,2026-11-07,DMO-2026-2001; DMO-2026-2002",
  ];
  const csv = `amount,paid_on,text\n${rows.join("\n")}\n`;
  const { created, rejected } = await server.importText(tenant, "payments", csv);
  assert.equal(created, writings.length + 2, JSON.stringify(rejected));
  for (const number of numbers) assert.deepEqual(await state(number), ["paid", 600], number);
  for (const number of ["77001", "DMO-2026-2001", "DMO-2026-2002"]) assert.equal((await state(number))[0], "paid");
  const [first, second, third] = rejected.map(({ errors }: { errors: object }) => JSON.stringify(errors));
  assert.match(first ?? "", /names no invoice/);
  assert.match(second ?? "", /names no invoice/);
  assert.match(third ?? "", /may pay DMO-2026-200\d or DMO-2026-200\d: choose the invoice/);
  assert.equal((await server.importText(tenant, "payments", csv)).created, 0);
});

test("at least nine of ten texts that name an invoice are matched, each with its own, and no other text with any", async () => {
  const { tenant, state } = await tenantWith(Object.fromEntries(TEXTS.map(([number]) => [number, "500.00"])));
  const others = [
    "plata marfa noiembrie 500.00",
    "RO49AAAA1B31007590210000 transfer",
    "comision 90.21 lei, tel. 0744 902 110",
    "rata 1101/2026 credit ipotecar",
    "salarii 10.2026",
    "CUI 44231000 taxa drum",
  ];
  const rows = [...TEXTS.map(([, text]) => text), ...others].map((text) => `500.00,2026-11-05,"${text}"`);
  const { created, rejected } = await server.importText(
    tenant,
    "payments",
    `amount,paid_on,text\n${rows.join("\n")}\n`,
  );
  const missed: string[] = [];
  for (const [number, text] of TEXTS) {
    const [status, paid] = await state(number);
    if (status !== "paid") missed.push(text);
    assert.ok(paid === 0 || paid === 500, number);
  }
  assert.ok(missed.length * 10 <= TEXTS.length, missed.join("\n"));
  assert.deepEqual(missed, []);
  assert.equal(created, TEXTS.length);
  assert.equal(rejected.length, others.length);
});

test("a list of numbers behind one series pays each of its invoices, and waits if the amount is another", async () => {
  const { tenant, state } = await tenantWith({
    "90301": "10.00",
    "90302": "20.00",
    "90303": "30.00",
    "DMO-2026-1301": "40.00",
    "DMO-2026-1302": "50.00",
    "2026/0401": "60.00",
    "2026/0402": "70.00",
  });
  const rows = ['30.00,2026-11-05,"fact. 90301, 90302"', "90.00,2026-11-05,DMO-2026-1301/1302 din 12.10.2026"];
  const waiting = ["31.00,2026-11-05,facturile 90302 si 90303", "60.00,2026-11-06,factura 2026/0401 si 0402"];
  const csv = `amount,paid_on,text\n${[...rows, ...waiting].join("\n")}\n`;
  const { created, rejected } = await server.importText(tenant, "payments", csv);
  assert.deepEqual([created, rejected.length], [rows.length, waiting.length], JSON.stringify(rejected));
  for (const number of ["90301", "90302", "DMO-2026-1301", "DMO-2026-1302"])
    assert.equal((await state(number))[0], "paid", number);
  for (const number of ["90303", "2026/0401", "2026/0402"]) assert.equal((await state(number))[1], 0, number);
});

test("digits without a word name the invoice whose total is the amount, and no other", async () => {
  const { tenant, state } = await tenantWith({ "61262": "514.35", "61263": "521.35", "6126": "40.00" });
  const rows = [
    "514.35,2026-11-05,OP 8812 /ROC/ 61262 SRL TEST",
    "500.00,2026-11-05,OP 8812 /ROC/ 61263 SRL TEST",
    "521.35,2026-11-05,transfer 61263 lei",
    "521.35,2026-11-05,transfer 961263",
    "40.00,2026-11-05,OP 6126",
  ];
  const csv = `amount,paid_on,text\n${rows.join("\n")}\n`;
  const { created, rejected } = await server.importText(tenant, "payments", csv);
  assert.deepEqual([created, rejected.length], [1, 4], JSON.stringify(rejected));
  assert.deepEqual(await state("61262"), ["paid", 514.35]);
  assert.deepEqual(await server.importText(tenant, "payments", csv), { created: 0, updated: 1, rejected });
});

test("a day, an amount or a place is no number of an invoice", async () => {
  const numbers = ["12", "301", "55", "2026", "B-4", "10"];
  const { tenant, state } = await tenantWith(Object.fromEntries(numbers.map((number) => [number, "500.00"])));
  const texts = ["fact 12.10.2026", "factura 301.50", "fact 55 lei", "str. Lungă 4 B", "facturi din 10/2026"];
  const csv = `amount,paid_on,text\n${texts.map((text) => `500.00,2026-11-05,"${text}"`).join("\n")}\n`;
  assert.equal((await server.importText(tenant, "payments", csv)).created, 0);
  for (const number of numbers) assert.equal((await state(number))[1], 0, number);
});
