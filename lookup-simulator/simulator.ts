import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** Answers that a register should not give; each is switched on for all look-ups. */
export const FAULTS = {
  none: "none",
  down: "answers 503",
  throttled: "answers 429",
  html: "answers a page instead of JSON",
  large: "answers ten megabytes",
  slow: "sends a byte each second",
  redirect: "sends the caller to 127.0.0.1",
  types: "has members of wrong types",
  hostile: "has texts that no company may have",
} as const;
export type Fault = keyof typeof FAULTS;

export type LookupSimulator = { url: string; fault: Fault; calls: string[]; close(): Promise<void> };

const COMPANY = {
  name: "Panificația Brașov SA",
  registration_number: "J08/123/1991",
  address: "Strada Lungă 1",
  city: "Brașov",
  county: "Brașov",
  postal_code: "500035",
  vat_payer: true,
};
const MEGABYTES = 10;
const DRIP_MS = 1_000;

/** A register of the contract (docs/company-lookup.yaml) that knows each fiscal id but those that end in 0. */
export async function startLookupSimulator(port = 0): Promise<LookupSimulator> {
  const simulator: LookupSimulator = {
    url: "",
    fault: "none",
    calls: [],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  const server = http.createServer(({ url = "" }, response) => {
    simulator.calls.push(url);
    const taxId = decodeURIComponent(url.split("/").at(-1) ?? "");
    answer(simulator.fault, taxId, response);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  simulator.url = `http://register.localhost:${(server.address() as AddressInfo).port}`;
  return simulator;
}

function answer(fault: Fault, taxId: string, response: http.ServerResponse): void {
  const json = (status: number, body: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  switch (fault) {
    case "down":
      return void json(503, { error: "Down." });
    case "throttled":
      return void json(429, { error: "Too many." });
    case "html":
      return void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>");
    case "large":
      return void json(200, { data: { ...COMPANY, address: "x".repeat(MEGABYTES * 2 ** 20) } });
    case "redirect":
      return void response.writeHead(302, { location: "http://127.0.0.1/" }).end();
    case "types":
      return void json(200, { data: { ...COMPANY, city: 7, county: ["Brașov"], vat_payer: "yes" } });
    case "hostile":
      return void json(200, {
        data: { ...COMPANY, name: "<script>alert(1)</script>", address: "x".repeat(300), city: "a\u0000b" },
      });
    case "slow": {
      response.writeHead(200);
      const timer = setInterval(() => response.write(" "), DRIP_MS);
      return void response.once("close", () => clearInterval(timer));
    }
    default:
      return void (taxId.endsWith("0") ? json(404, { error: "Not found." }) : json(200, { data: COMPANY }));
  }
}
