import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { key, valid } from "./certificates.ts";
import { freePort, poll } from "./program.ts";
import { read } from "./tidy/checkout.ts";

/** The examples of docs/operations/, by the real programs, before two servers whose `ready` takes its time. */

const READY_MS = 1_500;
/** Two checks that HAProxy would have given up on, and more. */
const WATCHED_MS = 8_000;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-proxy-"));
const running: ChildProcess[] = [];
after(() => {
  // nginx ends its workers too.
  for (const child of running) child.kill("SIGTERM");
  fs.rmSync(folder, { recursive: true });
});
const certificate = path.join(folder, "liaison.pem");
const itsKey = path.join(folder, "liaison.key");
fs.writeFileSync(certificate, `${valid}\n${key}\n`);
fs.writeFileSync(itsKey, `${key}\n`);

/** Answers with the scheme that the proxy reports; `ready` comes late. */
async function slowServer(): Promise<number> {
  const server = http.createServer((request, response) => {
    const answer = () => response.end(String(request.headers["x-forwarded-proto"]));
    if (request.url === "/health/ready") setTimeout(answer, READY_MS);
    else answer();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const examples = {
  haproxy: {
    example: "haproxy.cfg",
    adapt: (text: string) => text.replace("/etc/haproxy/liaison.pem", certificate),
    listens: (port: string) => `bind :${port}`,
    argv: (file: string) => ["-db", "-f", file],
  },
  nginx: {
    example: "nginx.conf",
    adapt: (text: string) =>
      `error_log stderr; pid ${folder}/nginx.pid; events {}\nhttp { access_log off;\n${text
        .replace("/etc/nginx/liaison.pem", certificate)
        .replace("/etc/nginx/liaison.key", itsKey)}\n}`,
    listens: (port: string) => `listen ${port}`,
    argv: (file: string) => ["-p", folder, "-c", file, "-g", "daemon off;"],
  },
};

for (const [program, { example, adapt, listens, argv }] of Object.entries(examples)) {
  test(`${program} ends TLS, sends browsers by it, and keeps servers whose \`ready\` is slow`, async () => {
    const [one, two, plain, secure] = [await slowServer(), await slowServer(), await freePort(), await freePort()];
    const file = path.join(folder, example);
    const text = read(`docs/operations/${example}`)
      .replace("10.0.0.11:3000", `127.0.0.1:${one}`)
      .replace("10.0.0.12:3000", `127.0.0.1:${two}`)
      .replace(listens("80"), listens(`127.0.0.1:${plain}`).replace("bind :", "bind "))
      .replace(listens("443"), listens(`127.0.0.1:${secure}`).replace("bind :", "bind "));
    fs.writeFileSync(file, adapt(text));
    const child = spawn(program, argv(file), { stdio: ["ignore", "ignore", "pipe"] });
    running.push(child);
    let complaints = "";
    child.stderr.setEncoding("utf8").on("data", (more: string) => (complaints += more));
    await poll(`${program}'s start`, async () => {
      assert.equal(child.exitCode, null, complaints);
      return (await get(secure)) !== null;
    });
    const until = performance.now() + WATCHED_MS;
    while (performance.now() < until)
      assert.deepEqual(await get(secure), { status: 200, hsts: "max-age=31536000", text: "https" }, complaints);
    const redirect = await fetch(`http://127.0.0.1:${plain}/api/v1/me?a=b`, { method: "POST", redirect: "manual" });
    assert.equal(redirect.status, 308);
    assert.equal(
      redirect.headers.get("location"),
      `https://127.0.0.1${program === "haproxy" ? `:${plain}` : ""}/api/v1/me?a=b`,
    );
  });
}

/** Null while nothing listens. */
async function get(
  port: number,
): Promise<{ status: number | undefined; hsts: string | undefined; text: string } | null> {
  try {
    const [answer] = (await once(
      https.get({ host: "127.0.0.1", port, path: "/api/v1/me", ca: valid, servername: "nord.localhost" }),
      "response",
    )) as [http.IncomingMessage];
    const text = (await answer.setEncoding("utf8").toArray()).join("");
    return { status: answer.statusCode, hsts: answer.headers["strict-transport-security"], text };
  } catch {
    return null;
  }
}
