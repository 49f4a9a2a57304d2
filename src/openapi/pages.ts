import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { createAssets, createSender } from "../platform/http/assets.ts";
import type { Outgoing } from "../platform/http/outgoing.ts";
import { openapiDocument } from "./document.ts";
import type { ApiInfo, DescribedRoute } from "./reference.ts";
import { toYaml } from "./yaml.ts";

/**
 * GET /api/v1/openapi.json and openapi.yaml, which need no key and are open to pages of any origin.
 * @param publicUrl as for openapiDocument
 */
export function registerContract(
  server: FastifyInstance,
  api: ApiInfo,
  routes: readonly DescribedRoute[],
  publicUrl: string | null,
  outgoing: Outgoing,
): void {
  const document = openapiDocument(api, routes, publicUrl);
  for (const [name, contentType, text] of [
    ["openapi.json", "application/json; charset=utf-8", JSON.stringify(document)],
    ["openapi.yaml", "application/yaml; charset=utf-8", toYaml(document).trimStart()],
  ] as const) {
    const send = createSender(contentType, Buffer.from(text), outgoing);
    server.get(`/api/v1/${name}`, async (request, reply) => {
      reply.header("access-control-allow-origin", "*").header("cache-control", "no-cache");
      return await send(request, reply);
    });
  }
}

/** GET /docs, the reference as a page, and its files. */
export function registerReference(server: FastifyInstance, publicUrl: string | null, outgoing: Outgoing): void {
  // If a proxy serves Liaison below a path, the page's addresses begin with that path.
  const base = publicUrl === null ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");
  const files = FILES.map(([name, folder]) => [name, fs.readFileSync(path.join(folder, name))] as const);
  const assets = createAssets("/docs", new Map(files));
  const html = page(base, (name) => `${base}${assets.pathOf(name)}`);
  server.get("/docs", async (request, reply) => {
    return await outgoing(request, reply.header("content-type", "text/html; charset=utf-8")).send(html);
  });
  assets.register(server, outgoing);
}

// Importing the package would run the whole page in Node; only its files are needed.
const PACKAGE = path.dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));

const FILES = [
  ["swagger-ui.css", PACKAGE],
  ["swagger-ui-bundle.js", PACKAGE],
  ["favicon-32x32.png", PACKAGE],
  ["reference.css", import.meta.dirname],
  ["reference.js", import.meta.dirname],
] as const;

function page(base: string, pathOf: (name: string) => string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Liaison API reference</title>
    <link rel="icon" type="image/png" href="${pathOf("favicon-32x32.png")}">
    <link rel="stylesheet" href="${pathOf("swagger-ui.css")}">
    <link rel="stylesheet" href="${pathOf("reference.css")}">
  </head>
  <body>
    <noscript>This page needs JavaScript. The same as JSON: <a href="${base}/api/v1/openapi.json">openapi.json</a></noscript>
    <div id="reference" data-url="${base}/api/v1/openapi.json"></div>
    <script src="${pathOf("swagger-ui-bundle.js")}"></script>
    <script src="${pathOf("reference.js")}"></script>
  </body>
</html>
`;
}
