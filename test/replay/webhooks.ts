import { API } from "./known-data.ts";
import type { Send } from "./recorder.ts";

export async function sendWebhooks(send: Send): Promise<void> {
  const url = "https://h.example";
  const urls = ["x", "https://u:p@h.example/", "ftp://h.example", "https://h.example/hook", "HTTPS://H.example:443"];
  const odd = [`https://${"x".repeat(2_000)}.example`, "https://erp.example/{tenant}", "https://"];
  const types = [[], ["x.y"], ["company.wms"], ["contact.erased", "invoice.deleted"], "*", ["*"]];
  for (const body of [
    ...[...urls, ...odd].map((each) => ({ url: each })),
    ...types.map((each) => ({ url, types: each })),
    { url, active: "no" },
    { url, body: "full" },
    { url, description: "x".repeat(256) },
    {},
    { url: "http://127.0.0.1:9/x", types: ["company.created"] },
  ]) {
    await send("POST", `${API}/webhooks`, { body });
  }
  for (const [method, path, body] of [
    ["GET", "", undefined],
    ["GET", "/1", undefined],
    ["PUT", "/1", { types: ["contact.created"] }],
    ["PATCH", "/1", { active: false }],
    ["POST", "/1/test", undefined],
    ["PUT", "/1", { active: true }],
    ["POST", "/1/rotate-secret", undefined],
    ["GET", "/1/deliveries", undefined],
    ["DELETE", "/1", undefined],
    ["GET", "/1", undefined],
    ["PUT", "/2", { url: null }],
    ["PUT", "/2", { url: "bad" }],
    ["PUT", "/2", { types: null }],
    ["GET", "?per_page=1", undefined],
    ["POST", "/2/deliveries/1/redeliver", undefined],
  ] as const) {
    await send(method, `${API}/webhooks${path}`, { body });
  }
  for (let id = 2; id < 12; id++) await send("DELETE", `${API}/webhooks/${id}`);
}
