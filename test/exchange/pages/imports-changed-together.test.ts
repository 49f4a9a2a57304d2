import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { untilLetGo } from "../../held.ts";
import { runWorker } from "../../running-worker.ts";
import { workbook } from "../imports/workbooks.ts";
import { settled } from "./settled-import.ts";

/** Two people work on one import: what is written is what was checked, and what the person who starts it has seen. */
const server = await startServer();
const worker = runWorker(server);

/** A checked import of a workbook with two sheets, of which the first one has a word that no status is called by. */
async function checked() {
  const tenant = await server.createTenant();
  const [ana, ion] = [await signedIn(server, tenant), await signedIn(server, tenant)];
  const header = ["name", "status"];
  const file = workbook([
    { name: "One", rows: [header, ["Alfa SRL", "active"], ["Beta SRL", "cine știe"]] },
    { name: "Two", rows: [header, ["Gama SRL", "active"]] },
  ]);
  const { location } = await ana.upload("/imports", { kind: "companies" }, { "firme.xlsx": new Uint8Array(file) });
  const path = String(location);
  await settled(ana, path);
  const id = path.split("/").at(-1);
  const lines = { "column.0": "name", "column.1": "status" };
  const chooseTwo = async (who: Member) => await who.post(`${path}/reading`, { ...lines, sheet: "1" });
  const names = async () =>
    (await tenant.get("/api/v1/companies")).body.data.map((each: { name: string }) => each.name);
  const parts = async () =>
    (await server.sql("select distinct part from import_chunks where import_id = $1", [id])).map(({ part }) => part);
  return { ana, ion, path, id, chooseTwo, names, parts };
}

/** The hidden field of a page with the version that it shows. */
function seenIn(text: string): Record<string, string> {
  const [, seen = ""] = /name="seen" value="([^"]+)"/.exec(text) ?? [];
  assert.notEqual(seen, "");
  return { seen };
}

const TOLD = /Somebody has changed or started this import meanwhile\. Look at it again\./;

/** The next page says that somebody else was faster. */
async function isTold(who: Member, path: string): Promise<void> {
  assert.match((await who.get(path)).text, TOLD);
}

test("who starts or corrects an import that another person has read otherwise sees it again, and nothing is written", async () => {
  const { ana, ion, path, chooseTwo, names } = await checked();
  const before = seenIn(await settled(ion, path));
  await chooseTwo(ana);
  assert.match(await settled(ana, path), /Sheet “Two”/);
  for (const [act, form] of [
    ["start", {}],
    ["corrections", { "word.status.cine_stie": "inactive" }],
  ] as const) {
    assert.equal((await ion.post(`${path}/${act}`, { ...form, ...before })).location, path);
    await isTold(ion, path);
    assert.deepEqual(await names(), []);
  }
  await ion.post(`${path}/start`, seenIn(await settled(ion, path)));
  await settled(ion, path);
  assert.deepEqual(await names(), ["Gama SRL"]);
});

test("what is posted while another person's check runs is said to be lost, and the same twice is not", async () => {
  const tenant = await server.createTenant();
  const [ana, ion] = [await signedIn(server, tenant, { role: "admin" }), await signedIn(server, tenant)];
  const csv = "name,status,rest\nAlfa SRL,cine știe,a\n,active,b\n";
  const { location } = await ana.upload("/imports", { kind: "companies" }, { "firme.csv": Buffer.from(csv) });
  const path = String(location);
  const columns = { "column.0": "name", "column.1": "status", "column.2": "" };
  await settled(ana, path);
  await ana.post(`${path}/reading`, columns);
  const seen = seenIn(await settled(ion, path));
  await worker.end();
  const corrections = { ...seen, "cell.3.0": "Beta SRL", "word.status.cine_stie": "inactive" };
  await ana.post(`${path}/corrections`, corrections);
  for (const [act, form, isLost] of [
    ["corrections", corrections, false],
    ["start", corrections, false],
    ["corrections", { ...corrections, "cell.3.0": "Gama SRL" }, true],
    ["start", { ...corrections, "word.status.cine_stie": "" }, true],
    ["reading", columns, false],
    ["reading", { ...columns, "column.1": "" }, true],
    ["reading", { make: "2" }, true],
    ["kind", { kind: "companies" }, false],
    ["kind", { kind: "contacts" }, true],
  ] as const) {
    assert.equal((await ion.post(`${path}/${act}`, form)).location, path);
    const { text } = await ion.get(path);
    assert.equal(TOLD.test(text), isLost, `${act} ${JSON.stringify(form)}`);
  }
  worker.begin();
  assert.match(await settled(ion, path), /Import 2 companies</);
  await ion.post(`${path}/start`);
  await settled(ion, path);
  assert.deepEqual((await tenant.get("/api/v1/companies")).body.total, 2);
});

test("a start while another sheet becomes the import's starts nothing", async () => {
  const { ana, ion, path, id, chooseTwo, names } = await checked();
  await untilLetGo(server, `select from import_chunks where import_id = ${id} for update`, async (letGo) => {
    const choosing = chooseTwo(ana);
    await server.untilWaiting(1);
    const starting = ion.post(`${path}/start`);
    await server.untilWaiting(2);
    await letGo();
    await Promise.all([choosing, starting]);
  });
  await isTold(ion, path);
  const text = await settled(ion, path);
  assert.match(text, /Sheet “Two”/);
  assert.match(text, /Import 1 company</);
  assert.deepEqual(await names(), []);
});

test("another sheet while the import starts is not read, and leaves nothing", async () => {
  const { ana, ion, path, id, chooseTwo, names, parts } = await checked();
  await untilLetGo(server, `select from imports where id = ${id} for update`, async (letGo) => {
    const starting = ion.post(`${path}/start`);
    await server.untilWaiting(1);
    const choosing = chooseTwo(ana);
    await server.untilWaiting(2);
    await letGo();
    await Promise.all([starting, choosing]);
  });
  await isTold(ana, path);
  const text = await settled(ana, path);
  assert.match(text, /Sheet “One”/);
  assert.deepEqual(await names(), ["Alfa SRL"]);
  assert.ok(!(await parts()).includes("next"));
});

test("a correction of one sheet is not applied to another one that was checked meanwhile", async () => {
  const { ana, ion, path, chooseTwo, names } = await checked();
  await untilLetGo(server, "lock table import_mappings in share mode", async (letGo) => {
    const correcting = ion.post(`${path}/corrections`, { "word.status.cine_stie": "inactive" });
    await server.untilWaiting(1);
    await chooseTwo(ana);
    await settled(ana, path);
    await letGo();
    await correcting;
  });
  await isTold(ion, path);
  const text = await settled(ion, path);
  assert.match(text, /Sheet “Two”/);
  await ion.post(`${path}/start`);
  await settled(ion, path);
  assert.deepEqual(await names(), ["Gama SRL"]);
});

test("words that two people map at the same moment are both remembered", async () => {
  const tenant = await server.createTenant();
  const people = [await signedIn(server, tenant), await signedIn(server, tenant)];
  const words = ["first", "second"];
  const upload = async (who: Member, word: string) => {
    const csv = `name,status\nA ${word},${word}\n`;
    const { location } = await who.upload("/imports", { kind: "companies" }, { "a.csv": Buffer.from(csv) });
    await settled(who, String(location));
    return String(location);
  };
  const paths: string[] = [];
  for (const [at, who] of people.entries()) paths.push(await upload(who, words[at] ?? ""));
  await untilLetGo(server, "lock table import_mappings in share mode", async (letGo) => {
    const mapping = people.map(
      async (who, at) => await who.post(`${paths[at]}/corrections`, { [`word.status.${words[at]}`]: "inactive" }),
    );
    await server.untilWaiting(2);
    await letGo();
    await Promise.all(mapping);
  });
  const [{ remembered } = {}] = await server.sql(
    "select words::json as remembered from import_mappings where tenant_id = $1",
    [tenant.id],
  );
  assert.deepEqual(remembered, { status: { first: "inactive", second: "inactive" } });
});
