import { API, type Made } from "./known-data.ts";
import type { Send } from "./recorder.ts";

export async function sendConflictsAndRemovals(send: Send, { company }: Made): Promise<void> {
  for (const tax_id of ["RO100001", "ro100001", " RO100001 "]) {
    await send("POST", `${API}/companies`, { body: { name: "Dup", tax_id } });
  }
  await send("POST", `${API}/companies`, { body: { tax_id: "RO100001" } });
  await send("POST", `${API}/companies`, { body: { name: "Dup", tax_id: "RO100001", email: "bad" } });
  for (const tax_id of ["RO100002", "robase"]) await send("PUT", `${API}/companies/${company}`, { body: { tax_id } });
  await send("POST", `${API}/companies/${company}/invoices`, { body: { number: "INV-00001" } });
  for (const id of [1, 2, 3, 4, 5, 6, 7, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]) {
    const path = `${API}/companies/${id}`;
    await send("DELETE", path);
    await send("DELETE", path);
    await send("GET", path);
    await send("GET", `${path}/contacts`);
    if (id < 36) continue;
    for (let n = 0; n < 2; n++) await send("POST", `${path}/restore`);
    await send("GET", path);
  }
  for (let id = 40; id < 46; id++) {
    for (let n = 0; n < 2; n++) await send("DELETE", `${API}/contacts/${id}`);
    await send("POST", `${API}/contacts/${id}/restore`);
  }
  for (let n = 0; n < 2; n++) {
    await send("POST", `${API}/contacts/50/erase`);
    await send("GET", `${API}/contacts/50`);
  }
  await send("POST", `${API}/contacts/51/erase`, { token: "read" });
  for (const id of [1, 2, 3]) {
    for (const body of [{ total: "1" }, { status: "paid" }, { number: "X" }, { currency: "EUR" }]) {
      await send("PUT", `${API}/invoices/${id}`, { body });
    }
    await send("POST", `${API}/invoices/${id}/wms-order`);
  }
}

export async function sendTags(send: Send, { company }: Made): Promise<void> {
  const path = `${API}/companies/${company}`;
  const tagOf = async () => String((await send("GET", path)).headers.etag);
  const tag = await tagOf();
  for (const known of [tag, `W/${tag}`, `${tag.slice(0, -1)}-gzip"`, "*", '"x"', `"x", ${tag}`, ""]) {
    await send("GET", path, { headers: { "if-none-match": known } });
  }
  for (const known of ['"x"', "*", "junk", ""]) {
    await send("PUT", path, { body: { city: `T${known}` }, headers: { "if-match": known } });
  }
  const newer = await tagOf();
  for (const city of ["Z", "Y"]) await send("PUT", path, { body: { city }, headers: { "if-match": newer } });
  const headers = { "if-match": '"x"' };
  await send("PUT", path, { body: { status: "bad" }, headers });
  await send("DELETE", path, { headers });
  await send("PUT", `${API}/companies/999999`, { body: { city: "x" }, headers });
}

export async function sendRepeated(send: Send, { company }: Made): Promise<void> {
  const keys = ["k1", '"k1"', "k 1", "", "x".repeat(255), "x".repeat(256), Buffer.from("ș").toString("latin1"), "a,b"];
  const twice = async (method: string, path: string, key: string, body: object) => {
    for (let n = 0; n < 2; n++) await send(method, API + path, { body, headers: { "idempotency-key": key } });
  };
  for (const [index, key] of keys.entries()) await twice("POST", "/companies", key, { name: `Repeated ${index}` });
  await twice("POST", "/companies", "k1", { name: "Other" });
  await twice("PUT", `/companies/${company}`, "put1", { county: "C" });
  await twice("POST", "/companies", "bad1", { status: "bad" });
  await twice("POST", "/companies/batch", "batch1", { items: [{ name: "I1" }, { tax_id: "RO100003", city: "B" }] });
}

export async function sendBatches(send: Send): Promise<void> {
  const known = ["RO100001", "ro100001"].map((tax_id) => ({ tax_id, city: "New" }));
  const ids = [1, 99_999, "1", "x"].map((id) => ({ id, city: "C" }));
  const twins = ["N1", "n1"].map((tax_id) => ({ name: "A", tax_id }));
  const bodies: object[] = [
    {},
    ...[[], {}, "x", [{}], [1, "a", null, []], [...known, ...ids], twins].map((items) => ({ items })),
    { items: [{ name: "D" }], dry_run: true },
    { items: [{ name: "D" }], dry_run: "x" },
    { items: Array.from({ length: 1_001 }, () => ({ name: "D" })) },
    { items: Array.from({ length: 5 }, () => ({ name: "x".repeat(300), email: "bad" })) },
    { items: [{ name: "Del", tax_id: "RO100077", delete: true }] },
    { items: [{ id: 77, restore: true }] },
    { items: [{ external: { erp: "1" }, name: "Ext" }] },
  ];
  for (const body of bodies) {
    for (const noun of ["companies", "contacts", "addresses", "invoices"]) {
      await send("POST", `${API}/${noun}/batch`, { body });
    }
  }
  const person = { first_name: "a", last_name: "b" };
  const owners = [{ company_id: 1 }, { company_tax_id: "RO100001" }, { company_id: 1, company_tax_id: "RO100005" }];
  const people = [...owners, { company_id: 99_999 }, {}].map((owner) => Object.assign(owner, person));
  const moved = [
    { id: 2, position: "CEO" },
    { id: 2, company_id: 5 },
  ];
  await send("POST", `${API}/contacts/batch`, { body: { items: [...people, ...moved] } });
  const lines = [{ description: "d", quantity: "1", unit_price: "x" }];
  const items = [
    { company_tax_id: "RO100001", number: "BI-1", total: "5" },
    { number: "BI-1", total: "6" },
    { number: "INV-00000", total: "9" },
    { number: "BI-2" },
    { number: "BI-3", company_id: 1, lines },
  ];
  await send("POST", `${API}/invoices/batch`, { body: { items } });
}
