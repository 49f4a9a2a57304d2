import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../doors/api/resources.ts";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { runWorker } from "../../running-worker.ts";
import { TEXTS } from "../imports/bank-texts.ts";
import { settled } from "./settled-import.ts";

/** The files of three banks on the pages, as they are exported, and a person's choice for a transfer. */
const server = await startServer();
runWorker(server);

async function firm() {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company"]);
  const member = await signedIn(server, tenant);
  await member.post("/profile", { language: "ro" });
  let day = 1;
  const invoices = new Map<string, string>();
  const invoice = async (number: string, total: string) => {
    const issued = `2026-10-${String((day++ % 30) + 1).padStart(2, "0")}`;
    const body = { number, total, currency: "RON", issued_on: issued };
    const { data } = (await tenant.post(`/api/v1/companies/${Company}/invoices`, body)).body;
    invoices.set(number, `/api/v1/invoices/${data.id}`);
  };
  const state = async (number: string) => {
    const { status, paid = "0" } = (await tenant.get(String(invoices.get(number)))).body.data;
    return [status, Number(paid)];
  };
  return { member, invoice, state };
}

/** Uploads a file without saying what it has, and returns its page once it is checked. */
async function uploaded(
  member: Member,
  content: string | Uint8Array<ArrayBuffer>,
  name = "extras.csv",
  kind = "payments",
) {
  const { location } = await member.upload("/imports", kind === "payments" ? {} : { kind }, { [name]: content });
  const path = String(location);
  const guessed = await settled(member, path);
  const columns = [...guessed.matchAll(/<select id="(column\.\d+)".*?<\/select>/gs)].map(([select, column = ""]) => {
    return [column, /value="(\w*)" selected/.exec(select)?.[1] ?? ""];
  });
  assert.match(guessed, new RegExp(`<option value="${kind}" selected>`));
  await member.post(`${path}/reading`, Object.fromEntries(columns));
  return { path, text: await settled(member, path) };
}

async function imported(member: Member, path: string): Promise<string> {
  await member.post(`${path}/start`);
  return await settled(member, path);
}

test("three banks' files are read as they are: titles, two columns of amounts, UTF-16; an overlap adds what is new", async () => {
  const { member, invoice, state } = await firm();
  for (const number of ["F-2026-01", "F-2026-02", "F-2026-03", "F-2026-04", "F-2026-05"])
    await invoice(number, "1234.50");
  const first = `"Extras de cont";"RO49AAAA1B31007593840000"
Perioada;01.11.2026 - 10.11.2026

Data tranzactie;Descriere;Referinta tranzactiei;Debit;Credit;Sold contabil
02.11.2026;"Incasare;factura F-2026-01";NTBINF001;;1.234,50;10.000,00
03.11.2026;"Plata furnizor";NTBOUT002;250,00;;9.750,00
04.11.2026;"Incasare;fact F-2026-02 si";NTBINF003;;1.000,00;10.750,00
`;
  const one = await uploaded(member, first);
  await imported(member, one.path);
  assert.deepEqual(await Promise.all(["F-2026-01", "F-2026-02"].map(state)), [
    ["paid", 1234.5],
    ["issued", 1000],
  ]);
  // The same account again with a later day, and a refund.
  const longer = `${first}05.11.2026;"Incasare;F-2026-02 rest";NTBINF004;0,00;234,50;10.984,50
06.11.2026;"Restituire F-2026-01";NTBOUT005;34,50;0,00;10.950,00
`;
  const again = await uploaded(member, longer, "extras2.csv");
  await imported(member, again.path);
  assert.deepEqual(await Promise.all(["F-2026-01", "F-2026-02"].map(state)), [
    ["issued", 1200],
    ["paid", 1234.5],
  ]);
  const wide = `Data\tDetalii tranzacție\tDebit\tCredit\r\n07.11.2026\tÎncasare factură F-2026-03 Țiriac\t\t1.234,50\r\n07.11.2026\tComision\t5,00\t\r\n`;
  const utf16 = await uploaded(member, new Uint8Array(Buffer.from(`\ufeff${wide}`, "utf16le")), "cont.txt");
  await imported(member, utf16.path);
  const third = `Date,Counterparty,Description,Amount,Currency
2026-11-08,HOTEL CENTRAL SRL,Invoice F-2026-04,"1234.50",RON
2026-11-08,HOTEL CENTRAL SRL,Invoice F-2026-05,"1234.50",RON
2026-11-09,BANK,Fee,"-3.00",RON
`;
  await imported(member, (await uploaded(member, third, "statement.csv")).path);
  for (const number of ["F-2026-03", "F-2026-04", "F-2026-05"])
    assert.deepEqual(await state(number), ["paid", 1234.5], number);
});

test("a transfer that may pay several invoices waits for a choice in the check: one of them, or the oldest first", async () => {
  const { member, invoice, state } = await firm();
  for (const [number, total] of [
    ["G-102", "70.00"],
    ["G-101", "30.00"],
    ["G-103", "50.00"],
    ["G-104", "50.00"],
  ])
    await invoice(String(number), String(total));
  const csv = `Data;Detalii tranzactie;Credit
05.11.2026;plata G-101 G-102;90,00
06.11.2026;plata G-103 sau G-104;50,00
07.11.2026;G-103 = 20.00; G-104 = 30.00;50,00
`.replace("G-103 = 20.00; G-104 = 30.00", '"G-103 = 20.00; G-104 = 30.00"');
  const { path, text } = await uploaded(member, csv);
  const selects = [...text.matchAll(/<select name="(cell\.\d+\.1)">(.*?)<\/select>/gs)];
  assert.equal(selects.length, 2, text);
  const choices = selects.map(([, , options = ""]) =>
    [...options.matchAll(/value="([^"]*)"/g)].map(([, value]) => value),
  );
  assert.deepEqual(choices[0], ["plata G-101 G-102", "G-102", "G-101", "G-102 = 70.00; G-101 = 20.00"]);
  const form = { [String(selects[0]?.[1])]: "G-102 = 70.00; G-101 = 20.00", [String(selects[1]?.[1])]: "G-104" };
  await member.post(`${path}/corrections`, form);
  await settled(member, path);
  await imported(member, path);
  assert.deepEqual(await Promise.all(["G-101", "G-102", "G-103", "G-104"].map(state)), [
    ["issued", 20],
    ["paid", 70],
    ["issued", 20],
    ["paid", 80],
  ]);
});

test("a wrong day is no payment of today, and a check says what it read otherwise than it is written", async () => {
  const { member, invoice, state } = await firm();
  await invoice("H-1", "90.00");
  const csv = `Factura;Suma;Data;Referinta
H-1;10,00;05.02.20261;OP 1
H-1;20,00;0001-01-01;OP 2
H-1;30,00;05.02.2026;platÄƒ
H-1;5,00;00.00.0000;OP 4
`;
  const { path, text } = await uploaded(member, csv, "incasari.csv");
  assert.match(text, /„0001-01-01” \(rândul 3\)/);
  assert.match(text, /„00\.00\.0000” \(rândul 5\)/);
  assert.match(text, /„platÄƒ = plată” \(rândul 4\)/);
  await imported(member, path);
  assert.deepEqual(await state("H-1"), ["issued", 55]);
});

test("a check of invoice lines says what it read otherwise than it is written", async () => {
  const { member, invoice } = await firm();
  await invoice("H-2", "90.00");
  const csv = "invoice_number;position;description;quantity;unit_price\nH-2;1;HÃ¢rtie;1;10,00\n";
  const { text } = await uploaded(member, csv, "linii.csv", "invoice_lines");
  assert.match(text, /„HÃ¢rtie = Hârtie” \(rândul 2\)/);
});

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
/** Files of three banks: an amount with its sign, two columns of amounts, and UTF-16. */
const BANKS: Record<string, (texts: readonly string[]) => string | Uint8Array<ArrayBuffer>> = {
  signed: (texts) =>
    `Date,Counterparty,Description,Amount,Currency\n${texts.map((text) => `2026-11-08,HOTEL SRL,${quoted(text)},500.00,RON\n`).join("")}`,
  "in two columns": (texts) =>
    `"Extras de cont"\nData tranzactie;Descriere;Debit;Credit;Sold contabil\n${texts.map((text) => `08.11.2026;${quoted(text)};;500,00;10.000,00\n`).join("")}`,
  "in UTF-16": (texts) => {
    const rows = texts.map((text) => `08.11.2026\t${quoted(text)}\t\t500,00\r\n`);
    return new Uint8Array(Buffer.from(`\ufeffData\tDetalii tranzacție\tDebit\tCredit\r\n${rows.join("")}`, "utf16le"));
  },
};

for (const [bank, fileOf] of Object.entries(BANKS)) {
  test(`at least nine of ten transfers of a file with amounts ${bank} are matched, and none is recorded twice`, async () => {
    const { member, invoice, state } = await firm();
    for (const [number] of TEXTS) await invoice(number, "500.00");
    const all = TEXTS.map(([, text]) => text);
    const [late, texts] = [all.slice(0, 5), all.slice(5)];
    const paid = async () => {
      const states = await Promise.all(TEXTS.map(async ([number]) => await state(number)));
      assert.deepEqual(
        states.filter(([, sum]) => sum !== 0 && sum !== 500),
        [],
        "each is paid once",
      );
      return states.filter(([status]) => status === "paid").length;
    };
    const first = await uploaded(member, fileOf(texts), `${bank}.csv`);
    await imported(member, first.path);
    const matched = await paid();
    assert.ok(matched * 10 >= texts.length * 9, `${matched} of ${texts.length}`);
    for (const [again, more] of [
      [texts, 0],
      [[...texts.slice(-20), ...late], late.length],
    ] as const) {
      const { path } = await uploaded(member, fileOf(again), `again.csv`);
      await imported(member, path);
      assert.equal(await paid(), matched + more);
    }
  });
}
