import { routes, type Route } from "../routes.ts";
import { errorSchemas } from "./error-answers.ts";
import { nounSchemas } from "./noun-schemas.ts";
import { nouns } from "./nouns.ts";
import { operation, tagOf } from "./operations.ts";
import { wmsOrderSchemas } from "./page-schemas.ts";
import { headers, sharedResponses } from "./responses.ts";
import type { Schema } from "./schema.ts";

/**
 * The API as an OpenAPI 3.1 document, generated from the route table, the field tables and the error table.
 * @param publicUrl the address clients know the server by; null: the one that they have the document from
 */
export function openapiDocument(publicUrl: string | null): Schema {
  return {
    openapi: "3.1.1",
    info: {
      title: "Liaison",
      version: "1.0.0",
      summary: "Companies, their contacts and addresses, and the warehouse orders that their invoices became.",
      description: DESCRIPTION,
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: publicUrl ?? "/", description: "This installation." }],
    security: [{ apiKey: [] }],
    tags: [
      ...nouns.map((noun) => ({ name: tagOf(noun), description: TAGS[noun.model] })),
      { name: "WMS orders", description: "The read-only correlation of invoices with warehouse orders." },
    ],
    paths: Object.fromEntries(
      [...Map.groupBy(routes, ({ path }) => path)].map(([path, group]) => [path, pathItem(group)]),
    ),
    components: {
      securitySchemes: { apiKey },
      schemas: { ...Object.assign({}, ...nouns.map(nounSchemas)), ...wmsOrderSchemas, ...errorSchemas },
      responses: sharedResponses(),
      headers,
    },
  };
}

function pathItem(group: Route[]): Schema {
  return Object.fromEntries(group.map((route) => [route.method.toLowerCase(), operation(route)]));
}

const apiKey: Schema = {
  type: "http",
  scheme: "bearer",
  bearerFormat: "<tenant>.<key>",
  description:
    "The tenant's slug and the API key, joined by a dot. A key carries capabilities such as `companies:read`; each " +
    "operation names the one that it needs, and `:write` includes `:read`.",
};

const TAGS: Record<string, string> = {
  Company: "The central entity. Contacts and addresses belong to one.",
  Contact: "The liaison persons of a company.",
  Address: "The places of a company.",
};

const DESCRIPTION = `A multi-tenant customer relationship service. The API key says which tenant a request is for; what
belongs to another tenant is missing, exactly like what never existed.

Bodies are JSON, whatever the Content-Type says; a body that is not a JSON object counts as empty. Integers are also
accepted as strings of digits, booleans also as 0, 1, "0" and "1". Strings are trimmed, and empty ones become null.

Checks come in this order: route and method, authentication, rate limit, capability, the resource, the body, conflicts.
HEAD answers as GET without the body; OPTIONS answers 204 with \`Allow\`; an unknown path is a 404 with a \`message\`.`;
