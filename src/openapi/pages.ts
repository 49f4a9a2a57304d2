import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import helmet from "@fastify/helmet";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { openapiDocument } from "./document.ts";
import type { ApiInfo, DescribedRoute } from "./reference.ts";

/**
 * GET /api/v1/openapi.json and /docs; neither needs a key.
 * @param publicUrl as openapiDocument takes it
 * @param reserve waits until so many bytes may be sent to whoever asks: nobody says who that is
 */
export function registerReference(
  server: FastifyInstance,
  api: ApiInfo,
  routes: readonly DescribedRoute[],
  publicUrl: string | null,
  reserve: (request: FastifyRequest, reply: FastifyReply, bytes: number) => Promise<unknown>,
): void {
  const document = Buffer.from(JSON.stringify(openapiDocument(api, routes, publicUrl)));
  server.get("/api/v1/openapi.json", async (request, reply) => {
    await reserve(request, reply, document.length);
    return reply.header("content-type", "application/json; charset=utf-8").send(document);
  });

  // Behind a proxy that serves Liaison below a path, the page's addresses begin with that path.
  const base = publicUrl === null ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");
  const html = page(base);
  server.register(async (docs) => {
    await docs.register(helmet, { global: false });
    await docs.register(fastifyStatic, { root: PACKAGE, serve: false });
    docs.get("/docs", { helmet: HEADERS }, async (_request, reply) => {
      return reply.header("content-type", "text/html; charset=utf-8").send(html);
    });
    for (const [file, directory] of ASSETS) {
      const { size } = fs.statSync(path.join(directory, file));
      docs.get(`/docs/${file}`, { helmet: HEADERS }, async (request, reply) => {
        await reserve(request, reply, size);
        return reply.sendFile(file, directory);
      });
    }
  });
}

// Importing the package would run the whole page in Node; only its files are wanted.
const PACKAGE = path.dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));

const ASSETS = [
  ["swagger-ui.css", PACKAGE],
  ["swagger-ui-bundle.js", PACKAGE],
  ["favicon-32x32.png", PACKAGE],
  ["reference.css", import.meta.dirname],
  ["reference.js", import.meta.dirname],
] as const;

/** Everything comes from this server, and nothing is inline. */
const HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      connectSrc: ["'self'"],
      // swagger-ui's stylesheet holds its icons.
      imgSrc: ["'self'", "data:"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // Whether the host is reached by TLS only is the proxy's to say.
  strictTransportSecurity: false,
};

function page(base: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Liaison API reference</title>
    <link rel="icon" type="image/png" href="${base}/docs/favicon-32x32.png">
    <link rel="stylesheet" href="${base}/docs/swagger-ui.css">
    <link rel="stylesheet" href="${base}/docs/reference.css">
  </head>
  <body>
    <noscript>This page needs JavaScript. The same as JSON: <a href="${base}/api/v1/openapi.json">openapi.json</a></noscript>
    <div id="reference" data-url="${base}/api/v1/openapi.json"></div>
    <script src="${base}/docs/swagger-ui-bundle.js"></script>
    <script src="${base}/docs/reference.js"></script>
  </body>
</html>
`;
}
