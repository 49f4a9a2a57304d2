import { API, type Made } from "./known-data.ts";
import type { Send } from "./recorder.ts";

export async function sendLists(send: Send, { company }: Made): Promise<void> {
  const values: Record<string, string[]> = {
    search: ["brasov", "BRA%C8%98OV", "firma", "%25", "_", "RO100001", "x".repeat(256), "%00", "", "%20", "a%7Cb"],
    status: ["active", "ACTIVE", "foo", ""],
    assigned_to: ["1", "abc", "", "0"],
    per_page: ["1", "0", "-1", "201", "99999999999999999999", "abc", "1.5"],
    page: ["2", "0", "9999", "9007199254740993", "abc"],
    sort: ["name", "-name", "id", "-id", "foo"],
  };
  const queries = [
    ...Object.entries(values).flatMap(([name, each]) => each.map((value) => `${name}=${value}`)),

    "",
    "per_page=2&page=2&search=firma",
    "search=a&search=firma",
    "foo=bar&x=%zz",
    "search=%E0%A4%A",
    "search[]=x",
    "sort=name&per_page=3&cursor=",
    "cursor=&per_page=5",
    "cursor=bad",
    "cursor=%20",
    "include=contacts",
    "tax_id=RO100001",
    "ids=1,2",
    "updated_since=2026-01-01",
    "external=a:b",
  ];
  const nested = ["contacts", "invoices", "wms-orders"].map((noun) => `/companies/1/${noun}`);
  for (const query of queries) {
    for (const path of ["/companies", `/companies/${company}/addresses`, ...nested]) {
      await send("GET", `${API}${path}?${query}`);
    }
  }
  const feed = [
    "limit=1",
    "limit=0",
    "limit=5000",
    "limit=abc",
    "types=foo",
    "types=company,contact",
    "types=wms_order",
  ];
  for (const query of ["", ...feed, "types=", "after=", "after=bad", "wait=0", "wait=abc", "include=resource"]) {
    await send("GET", `${API}/changes?${query}`);
  }
  for (const path of ["/companies/1", "/contacts/1", "/invoices/1"]) await send("GET", `${API}${path}/history`);
  for (const page of [1, 2]) await send("GET", `${API}/companies/${company}/history?per_page=2&page=${page}`);
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body } = await send("GET", `${API}/companies?per_page=200&cursor=${cursor}`);
    cursor = typeof body.next_cursor === "string" ? body.next_cursor : null;
  }
}

export async function sendReads(send: Send): Promise<void> {
  for (let id = 1; id < 60; id++) await send("GET", `${API}/companies/${id}`);
  for (let id = 1; id < 40; id++) {
    await send("GET", `${API}/contacts/${id}`);
    await send("GET", `${API}/invoices/${id}`);
  }
  for (let id = 1; id < 31; id++) await send("GET", `${API}/companies/${id}/wms-orders?per_page=3`);
  for (const coding of ["gzip", "gzip;q=0", "identity", "*"]) {
    await send("GET", `${API}/companies`, { headers: { "accept-encoding": coding } });
  }
  const all: Record<string, string>[] = [
    ...["text/html", "application/xml"].map((accept) => ({ accept })),
    ...["https://erp.example", "https://evil.example"].map((origin) => ({ origin })),
    ...["my-id.1", "bad id"].map((id) => ({ "x-request-id": id })),
    { "if-none-match": "*" },
    { "x-http-method-override": "DELETE" },
    { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
  ];
  for (const headers of all) {
    for (const method of ["GET", "OPTIONS"]) await send(method, `${API}/companies/1`, { headers });
  }
  const preflight = { origin: "https://erp.example", "access-control-request-method": "PATCH" };
  await send("OPTIONS", `${API}/companies`, { token: null, headers: preflight });
}
