import { API, wordsOf } from "./known-data.ts";
import type { Send } from "./recorder.ts";

const JUNK = "1".repeat(300);

/** Who may come in, paths and methods that there are and that there are not, and ids. */
export async function sendToDoors(send: Send): Promise<void> {
  const nested = ["contacts", "addresses", "invoices", "wms-orders", "history"].map((noun) => `/companies/1/${noun}`);
  const single = [
    "/companies/1",
    "/contacts/1",
    "/addresses/1",
    "/invoices/1",
    "/webhooks/1",
    "/webhooks/1/deliveries",
  ];
  for (const path of ["/companies", "/changes", "/webhooks", ...nested, ...single].map((each) => API + each)) {
    const wrong = ["nodot", "acme.", ".x", "acme.lsn_wrong", "nobody.lsn_x", "revoked", "gone", "ip", "expired"];
    for (const token of [null, ...wrong, "none", "read", "wms", "other"]) await send("GET", path, { token });
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) await send(method, path, { body: {}, token: "none" });
  }
  for (const authorization of [
    "Basic abc",
    "Bearer",
    "Bearer ",
    "Token x",
    "bearer acme.lsn_x",
    "Bearer  acme.lsn_x",
  ]) {
    await send("GET", `${API}/companies?per_page=1`, { token: null, headers: { authorization } });
  }
  const paths =
    wordsOf(`/api /api/ /api/v1 /api/v1/ /api/v2/companies /api/v1/foo /api/v1/companies/ /api/v1/companies/1/
    /api/v1//companies /api/v1/companies/1/foo /api/v1/Companies /health /health/live /health/ready
    /api/v1/companies/batch /api/v1/openapi /api/v1/companies/%31 /api/v1/companies/%zz
    /api/v1/companies/1%2F2`);
  for (const path of paths) {
    for (const method of ["GET", "HEAD", "OPTIONS", "DELETE"]) await send(method, path);
    for (const method of ["POST", "PUT", "PATCH"]) await send(method, path, { body: {} });
  }
  for (const method of ["TRACE", "PROPFIND", "LINK"]) await send(method, `${API}/companies`);
  const ids = [
    ...wordsOf(`0 -1 01 1.0 abc 99999999999999999999 9223372036854775807 9223372036854775808 1e3`),
    "%20",
    "%2e%2e",
    "null",
    "%C8%99",
    JUNK,
  ];
  const nouns = ["companies", "contacts", "addresses", "invoices", "webhooks"];
  for (const id of ids) {
    for (const noun of nouns) await send("GET", `${API}/${noun}/${id}`);
    for (const noun of ["contacts", "wms-orders", "invoices"]) await send("GET", `${API}/companies/${id}/${noun}`);
    await send("GET", `${API}/contacts/${id}/history`);
    await send("POST", `${API}/webhooks/1/deliveries/${id}/redeliver`);
  }
}
