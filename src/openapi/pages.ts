import type { FastifyInstance } from "fastify";
import { createSender } from "../platform/http/assets.ts";
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
