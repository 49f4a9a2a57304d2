import type { FastifyInstance } from "fastify";
import { createSender } from "../../platform/http/assets.ts";
import type { Outgoing } from "../../platform/http/outgoing.ts";
import { openapiDocument } from "./document.ts";
import type { ApiInfo, DescribedRoute } from "./reference.ts";

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

/**
 * A JSON value as YAML, valid in every version of YAML: texts are quoted as in JSON, and so are names that are not
 * plain words.
 */
function toYaml(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return ` ${JSON.stringify(value)}\n`;
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  if (entries.length === 0) return isList ? " []\n" : " {}\n";
  const lines = entries.map(
    ([name, member]) => `${indent}${isList ? "-" : `${nameOf(name)}:`}${toYaml(member, `${indent}  `)}`,
  );
  return `\n${lines.join("")}`;
}

/** The words that are booleans or null in some version of YAML. */
const RESERVED = /^(?:y|yes|n|no|on|off|true|false|null)$/i;

function nameOf(name: string): string {
  return /^[A-Za-z][\w-]*$/.test(name) && !RESERVED.test(name) ? name : JSON.stringify(name);
}
