import { isDeepStrictEqual } from "node:util";
import { operation } from "./operation.ts";
import type { ApiInfo, DescribedRoute, EventReference } from "./reference.ts";
import { headers, sharedResponses } from "./responses.ts";
import { definitionsIn, type Schema } from "./schema.ts";

/**
 * The API as an OpenAPI 3.1 document, made from the texts of each route.
 * @param publicUrl our address for clients; null: the one from which they load the document
 */
export function openapiDocument(api: ApiInfo, routes: readonly DescribedRoute[], publicUrl: string | null): Schema {
  const { key, events, ...info } = api;
  const webhooks = Object.fromEntries(events.map((event) => [event.name, { post: receiving(event) }]));
  const paths = Object.fromEntries(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, group]) => [path, pathItem(group)]),
  );
  const responses = sharedResponses();
  const tags = routes.map(({ reference: { tag } }) => [tag.name, tag] as const);
  return {
    openapi: "3.1.0",
    info: {
      ...info,
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: publicUrl ?? "/", description: "This installation." }],
    security: [{ apiKey: [] }],
    tags: Object.values(collect("tags", tags)),
    paths,
    webhooks,
    // Its address must be absolute: without ours there is none.
    ...(publicUrl !== null && {
      externalDocs: { url: `${publicUrl}/docs`, description: "Guides, examples and every error." },
    }),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", bearerFormat: "<tenant>.<key>", description: key },
      },
      schemas: collect("schemas", definitionsIn([paths, webhooks, responses])),
      responses,
      headers,
    },
  };
}

function pathItem(group: DescribedRoute[]): Schema {
  return Object.fromEntries(group.map((route) => [route.method.toLowerCase(), operation(route)]));
}

/** The request that a webhook's receiver gets. */
function receiving({ name, description, message }: EventReference): Schema {
  return {
    operationId: name,
    summary: name,
    description: `${description} Verify its signature (Standard Webhooks), and answer within 15 seconds.`,
    security: [],
    requestBody: { required: true, content: { "application/json": { schema: message } } },
    responses: {
      "2XX": { description: "It has arrived." },
      410: { description: "Nothing more is wanted: the webhook is switched off." },
      default: { description: "It is sent again later." },
    },
  };
}

/**
 * One entry for each name. Throws if a name has two meanings, because one of them would be missing from the document.
 */
function collect<T>(what: string, entries: readonly (readonly [string, T])[]): Record<string, T> {
  const collected: Record<string, T> = {};
  for (const [name, value] of entries) {
    if (!isDeepStrictEqual((collected[name] ??= value), value)) {
      throw new Error(`the routes' references have two different ${what} of the name ${name}`);
    }
  }
  return collected;
}
