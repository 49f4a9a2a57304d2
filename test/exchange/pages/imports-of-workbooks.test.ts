import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";
import { workbook, zip } from "../imports/workbooks.ts";

const server = await startServer();
runWorker(server);

async function upload(member: Member, file: Buffer) {
  return await member.upload("/imports", { kind: "companies" }, { "firme.xlsx": new Uint8Array(file) });
}

async function settled(member: Member, path: string): Promise<string> {
  let text = "";
  await poll("the end of the import's job", async () => {
    ({ text } = await member.get(path));
    return !text.includes("data-refresh");
  });
  return text;
}

const partsOf = async (tenant: { id: string }) =>
  await server.sql("select part, count(*)::int from import_chunks where tenant_id = $1 group by part order by part", [
    tenant.id,
  ]);

test("the first visible sheet is read, another one can be chosen, and one that is empty leaves the import as it was", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const file = workbook([
    { name: "Ascunsă", rows: [["name"], ["Hidden"]], isHidden: true },
    {
      name: "Furnizori",
      rows: [
        ["name", "tax_id"],
        ["Furnizor SRL", "RO1"],
      ],
    },
    {
      name: "Clienți",
      rows: [["Lista"], [], ["name", "status"], ["Client\nSRL", "nonsense"], ["Altul SRL", "active"]],
    },
    { name: "Goală", rows: [] },
  ]);
  const path = String((await upload(member, file)).location);
  const first = await settled(member, path);
  assert.match(first, /Import 1 company</);
  assert.match(first, /<option value="1" selected>Furnizori<\/option>/);
  const empty = await member.post(`${path}/reading`, { sheet: "3" });
  assert.equal(empty.status, 422);
  assert.match(empty.text, /The sheet is empty\./);
  assert.match(await settled(member, path), /Sheet “Furnizori”/);
  assert.equal((await member.post(`${path}/reading`, { sheet: "2" })).location, path);
  const other = await settled(member, path);
  assert.match(other, /Sheet “Clienți”, column names in row 3/);
  // A line is the number of the row in the sheet.
  assert.match(other, /data-label="Line">4<\/td>\s*<td class="why">Status is one of/);
  const { text } = await member.get(`${path}/rejected.csv`);
  assert.match(text, /^name,status,skipped_line,skipped_because\r\n"Client\nSRL",nonsense,4,/);
  assert.deepEqual(
    (await partsOf(tenant)).map(({ part }) => part),
    ["listed", "rows", "skipped", "workbook"],
  );
  await member.post(`${path}/start`);
  await settled(member, path);
  const { data } = (await tenant.get("/api/v1/companies")).body;
  assert.deepEqual(
    data.map(({ name }: { name: string }) => name),
    ["Altul SRL"],
  );
  const [{ bytes } = { bytes: 0 }] = await server.sql(
    "select stored_bytes as bytes from imports where tenant_id = $1",
    [tenant.id],
  );
  assert.equal(Number(bytes), 2 * 65_536);
});

test("columns below a title of one cell are guessed, and found again when another sheet is chosen", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const rows = [["Lista clienților"], [], ["Denumire", "CUI", "Oraș"], ["A SRL", "RO1", "Cluj"]];
  const file = workbook([
    { name: "A", rows },
    { name: "B", rows: [["Furnizori"], ...rows] },
  ]);
  const path = String((await upload(member, file)).location);
  const guessed = (text: string) =>
    [...text.matchAll(/<select id="column.*?<option value="([^"]*)" selected>/gs)].map(([, field]) => field);
  const fields = ["name", "tax_id", "city"];
  assert.deepEqual(guessed((await member.get(path)).text), fields);
  assert.equal((await member.post(`${path}/reading`, { sheet: "1", header_line: "3" })).location, path);
  const { text } = await member.get(path);
  assert.match(text, /Sheet “B”, column names in row 4/);
  assert.deepEqual(guessed(text), fields);
});

test("a workbook that cannot be read is refused with a sentence at its field, and nothing of it is kept", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  for (const [file, why] of [
    [workbook([{ name: "A", rows: [["name"], ["x"]] }], { "xl/vbaProject.bin": "x" }), "The workbook has macros."],
    [Buffer.from("d0cf11e0a1b11ae1".padEnd(2_000, "0"), "hex"), "The workbook has a password, or is of the old format"],
    [zip({ "a.txt": "x" }), "The workbook is damaged, or is none."],
    [workbook([{ name: "A", rows: [] }]), "The sheet is empty."],
  ] as const) {
    const answer = await upload(member, file);
    assert.equal(answer.status, 422, why);
    assert.match(answer.text, new RegExp(`<p class="error" id="file-error">${why}`));
  }
  assert.deepEqual(await partsOf(tenant), []);
  assert.deepEqual(await server.sql("select id from imports where tenant_id = $1", [tenant.id]), []);
});
