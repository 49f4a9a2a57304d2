import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { createAssets, createSender, type Reserve } from "../platform/http/assets.ts";
import { openapiDocument } from "./document.ts";
import type { ApiInfo, DescribedRoute } from "./reference.ts";

/**
 * GET /api/v1/openapi.json, which needs no key.
 * @param publicUrl as openapiDocument takes it
 */
export function registerContract(
  server: FastifyInstance,
  api: ApiInfo,
  routes: readonly DescribedRoute[],
  publicUrl: string | null,
  reserve: Reserve,
): void {
  const body = Buffer.from(JSON.stringify(openapiDocument(api, routes, publicUrl)));
  server.get("/api/v1/openapi.json", createSender({ contentType: "application/json; charset=utf-8", body }, reserve));
}

/** GET /docs, the same to look at, and its files. */
export function registerReference(server: FastifyInstance, publicUrl: string | null, reserve: Reserve): void {
  // Behind a proxy that serves Liaison below a path, the page's addresses begin with that path.
  const base = publicUrl === null ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");
  const html = page(base);
  server.get("/docs", async (_request, reply) => {
    return reply.header("content-type", "text/html; charset=utf-8").send(html);
  });
  assets.register(server, reserve);
}

// Importing the package would run the whole page in Node; only its files are wanted.
const PACKAGE = path.dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));

const SCRIPT = "text/javascript; charset=utf-8";
const STYLESHEET = "text/css; charset=utf-8";
const assets = createAssets(
  "/docs",
  new Map(
    [
      { file: "swagger-ui.css", directory: PACKAGE, contentType: STYLESHEET },
      { file: "swagger-ui-bundle.js", directory: PACKAGE, contentType: SCRIPT },
      { file: "favicon-32x32.png", directory: PACKAGE, contentType: "image/png" },
      { file: "reference.css", directory: import.meta.dirname, contentType: STYLESHEET },
      { file: "reference.js", directory: import.meta.dirname, contentType: SCRIPT },
    ].map(({ file, directory, contentType }) => [
      file,
      { contentType, body: fs.readFileSync(path.join(directory, file)) },
    ]),
  ),
);

function page(base: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Liaison API reference</title>
    <link rel="icon" type="image/png" href="${base}${assets.pathOf("favicon-32x32.png")}">
    <link rel="stylesheet" href="${base}${assets.pathOf("swagger-ui.css")}">
    <link rel="stylesheet" href="${base}${assets.pathOf("reference.css")}">
  </head>
  <body>
    <noscript>This page needs JavaScript. The same as JSON: <a href="${base}/api/v1/openapi.json">openapi.json</a></noscript>
    <div id="reference" data-url="${base}/api/v1/openapi.json"></div>
    <script src="${base}${assets.pathOf("swagger-ui-bundle.js")}"></script>
    <script src="${base}${assets.pathOf("reference.js")}"></script>
  </body>
</html>
`;
}
