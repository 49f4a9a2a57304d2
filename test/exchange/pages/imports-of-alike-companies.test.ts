import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Form } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { runWorker } from "../../running-worker.ts";
import { figuresOf } from "./import-figures.ts";
import { settled } from "./settled-import.ts";

const server = await startServer();
runWorker(server);

const stored = [
  { name: "Acme Instal SRL", city: "Cluj-Napoca", phone: "+40 264 555 010", notes: "old" },
  { name: "Bravo Lemn SRL", city: "Turda", phone: "+40 264 555 020" },
  { name: "Carpat Trans SA", email: "office@carpat.example" },
];
const CSV = [
  "Denumire;CUI;Localitate;Telefon;E-mail",
  "ACME INSTAL;RO14399840;Cluj;0264 555 010;",
  "Bravo Lem S.R.L.;;Turda;0264 555 020;",
  "Transport Carpat;;Dej;;ana@carpat.example",
  "Trans Carpat S.A.;;;;ana@carpat.example",
  "Delta Fier SRL;;Dej;;",
].join("\n");

/** The check of the file, and the ids of the stored companies. */
async function checked(language: "en" | "ro") {
  const tenant = await server.createTenant();
  const ids: string[] = [];
  for (const company of stored) ids.push(String((await tenant.post("/api/v1/companies", company)).body.data.id));
  const member = await signedIn(server, tenant);
  await member.post("/profile", { language });
  const answer = await member.upload("/imports", { kind: "companies" }, { "firme.csv": CSV });
  const path = String(answer.location);
  const { text } = await member.get(path);
  if (text.includes('id="column.0"')) await member.post(`${path}/reading`, selectsIn(text));
  const corrected = async (form: Form) => {
    assert.equal((await member.post(`${path}/corrections`, form)).location, path);
    return await settled(member, path);
  };
  const companies = async () => (await tenant.get("/api/v1/companies?per_page=100")).body.data;
  return { tenant, member, path, ids, text: await settled(member, path), corrected, companies };
}

function selectsIn(text: string): Form {
  return Object.fromEntries(
    [...text.matchAll(/<select[^>]* name="([^"]+)".*?<\/select>/gs)].map(([select, name]) => [
      String(name),
      /<option value="([^"]*)" selected>/.exec(select)?.[1] ?? "",
    ]),
  );
}

/** What the page says of each row. */
function said(text: string): Record<string, string> {
  const rows = [...text.matchAll(/<tr>\n(<td class="number".*?)<\/tr>/gs)].map(([, row = ""]) => {
    const [, line = ""] = />(\d+)<\/td>/.exec(row) ?? [];
    const alike = [...row.matchAll(/<small>((?:Looks like|Seamănă).*?)<\/small>/g)].map(([, one = ""]) => one);
    return [line, alike.join("; ").replaceAll(/<[^>]*>/g, "")];
  });
  return Object.fromEntries(rows.filter(([, alike]) => alike !== ""));
}

test("a check says which company each new row looks like, and updates that one instead if a person says so", async () => {
  const { member, path, ids, text, corrected, companies, tenant } = await checked("en");
  const [acme = "", bravo = "", carpat = ""] = ids;
  assert.deepEqual(figuresOf({ text }), { Created: 5, Changed: 0, Unchanged: 0, Skipped: 0 });
  assert.deepEqual(said(text), {
    2: "Looks like Acme Instal SRL, Cluj-Napoca: same phone and name",
    3: "Looks like Bravo Lemn SRL, Turda: same phone and name",
    5: "Looks like Carpat Trans SA: same e-mail domain and name",
  });
  assert.match(text, /Looks like a company that is here \(2 sure\)/);

  // One row by its own answer.
  const one = await corrected({ ...selectsIn(text), "alike.5": carpat });
  assert.deepEqual(figuresOf({ text: one }), { Created: 4, Changed: 1, Unchanged: 0, Skipped: 0 });
  assert.match(one, /\(2 sure, 1 chosen to update it\)/);
  // All sure ones at once. The answers of rows on other pages stay.
  const all = await corrected({ alike: "sure" });
  assert.deepEqual(figuresOf({ text: all }), { Created: 2, Changed: 3, Unchanged: 0, Skipped: 0 });
  const { text: list } = await member.get(`${path}?rows=alike`);
  const chosen = { "alike.2": acme, "alike.3": bravo, "alike.5": carpat };
  const { alike: _all, ...answers } = selectsIn(list);
  assert.deepEqual(Object.fromEntries(Object.entries(answers).filter(([name]) => name.startsWith("alike."))), chosen);
  // An id that the page did not offer chooses nothing.
  const none = await corrected({ "alike.3": carpat });
  assert.equal(figuresOf({ text: none }).Created, 3);
  await corrected({ "alike.3": bravo });

  const csv = await member.get(`${path}/alike.csv`);
  assert.match(csv.text, /^Denumire,CUI,Localitate,Telefon,E-mail,file_line,looks_like\r\n/);
  assert.match(
    csv.text,
    new RegExp(`Bravo Lem S\\.R\\.L\\.,.*,3,"Bravo Lemn SRL, Turda \\(${bravo}\\): same phone and name"`),
  );

  const before = await companies();
  // The button to start applies what is not checked yet first.
  assert.equal((await member.post(`${path}/start`, { "alike.5": "" })).location, path);
  assert.deepEqual(figuresOf({ text: await settled(member, path) }).Created, 3);
  assert.deepEqual(await companies(), before);
  await member.post(`${path}/start`, {});
  const done = await settled(member, path);
  assert.deepEqual(figuresOf({ text: done }), { Created: 3, Changed: 2, Unchanged: 0, Skipped: 0 });
  const after = await companies();
  assert.equal(after.length, 6);
  const { name, tax_id: taxId, notes } = (await tenant.get(`/api/v1/companies/${acme}`)).body.data;
  // The name by which a row was found stays.
  assert.deepEqual([name, taxId, notes], ["Acme Instal SRL", "RO14399840", "old"]);
  await member.post(`${path}/undo`, {});
  await settled(member, path);
  const bare = (some: Record<string, unknown>[]) => some.map(({ updated_at: _at, changed_by: _by, ...rest }) => rest);
  assert.deepEqual(bare(await companies()), bare(before));
});

test("the choices of a check can be taken back, in Romanian, and a company that is gone costs its row", async () => {
  const { text, ids, corrected, tenant } = await checked("ro");
  assert.equal(said(text)[2], "Seamănă cu Acme Instal SRL, Cluj-Napoca: la fel telefonul și denumirea");
  const all = await corrected({ alike: "sure" });
  assert.match(all, /Seamănă cu o firmă existentă \(2 sigur, 2 o actualizează\)/);
  await tenant.delete(`/api/v1/companies/${ids[0]}`);
  const gone = await corrected({});
  assert.match(gone, /Omise <b>1<\/b>/);
  const back = await corrected({ alike: "new" });
  assert.match(back, /Noi <b>5<\/b>/);
  assert.match(back, /\(1 sigur\)/);
});

test("a company that a row updates instead may be merged or deleted before the start", async () => {
  const { member, path, ids, corrected, tenant } = await checked("en");
  const [acme = "", bravo = "", carpat = ""] = ids;
  await corrected({ "alike.2": acme, "alike.3": bravo });
  await tenant.post(`/api/v1/companies/${carpat}/merge`, { from: Number(acme) });
  await tenant.delete(`/api/v1/companies/${bravo}`);
  await member.post(`${path}/start`);
  const page = await settled(member, path);
  assert.deepEqual(figuresOf({ text: page }), { Created: 3, Changed: 0, Unchanged: 0, Skipped: 2 });
  assert.equal(page.match(/The record that it was to change was deleted or merged meanwhile\./g)?.length, 2);
});
