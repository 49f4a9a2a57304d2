import assert from "node:assert/strict";
import { test } from "node:test";
import { createInstallation, requester } from "./installation.ts";

const { json, run, serve } = await createInstallation();
await json(["tenant", "create", "acme", "--name", "Acme"]);
await json(["tenant", "create", "other", "--name", "Other"]);
const { token } = await json([
  "key",
  "create",
  "--tenant",
  "acme",
  "--name",
  "Shop",
  "--capabilities",
  "companies:write,contacts:write",
]);
const send = requester(await serve(), token);
const { id: company } = (await send("POST", "/api/v1/companies", { name: "Acme" })).body.data;
const of = ["--tenant", "acme"];

async function contact(): Promise<string> {
  const person = { first_name: "Ion", last_name: "Marin", phone: "+40 722 555 011" };
  return String((await send("POST", `/api/v1/companies/${company}/contacts`, person)).body.data.id);
}

async function refused(args: string[], complaint: RegExp): Promise<void> {
  const { code, stdout, stderr } = await run(args);
  assert.deepEqual([code, stdout], [1, ""], stderr);
  assert.match(stderr, complaint);
}

test("all that is kept about a person is exported, and erased", async () => {
  const id = await contact();
  await send("PUT", `/api/v1/contacts/${id}`, { notes: "Kept" });
  const exported = await run(["export", "contact", id, ...of]);
  assert.deepEqual([exported.code, exported.stderr], [0, ""]);
  const { contact: person, changes } = JSON.parse(exported.stdout);
  assert.deepEqual([person.full_name, person.phone, changes.length], ["Ion Marin", "+40 722 555 011", 2]);

  const none = {
    activities: 0,
    planned_calls: 0,
    kept_answers: 0,
    import_rows: 0,
    last_opened: 0,
    mails: 0,
    merges: 0,
  };
  const erased = { ...none, changes: 2, contacts: 1 };
  assert.deepEqual(await json(["erase", "contact", id, ...of]), { erased, merged: [], files: [] });
  assert.equal((await send("GET", `/api/v1/contacts/${id}`)).status, 404);
  for (const command of ["erase", "export"])
    await refused([command, "contact", id, ...of], new RegExp(`^The tenant "acme" has no contact ${id}\\.$`, "m"));
});

test("an erasure says in words what it did, and where the person may stand still", async () => {
  const id = await contact();
  const { stdout } = await run(["erase", "contact", id, ...of]);
  const [rows, rest] = stdout.split("\n");
  assert.match(String(rows), new RegExp(`^Erased the contact ${id}\\. Rows: changes: 1, .*contacts: 1\\.$`));
  assert.match(String(rest), /The disk overwrites it later, and older backups still have it .* 7\.5\)\.$/);
});

test("nobody else's contact is erased or exported, and what is no id is refused", async () => {
  const id = await contact();
  for (const command of ["erase", "export"]) {
    await refused([command, "contact", id, "--tenant", "other"], /The tenant "other" has no contact/);
    await refused([command, "contact", "x", ...of], /"x" is not the id of a contact\./);
  }
  await refused(["export", "contacts", id, ...of], /Only `export contact` takes an id\./);
  assert.equal((await send("GET", `/api/v1/contacts/${id}`)).status, 200);
});
