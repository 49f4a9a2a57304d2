import type { Reference } from "../../kit/openapi/reference.ts";
import {
  dataOf,
  idSchema,
  integerSchema,
  named,
  nullable,
  objectSchema,
  timestampSchema,
} from "../../kit/openapi/schema.ts";
import { capabilities } from "./capability.ts";

const text = { type: "string" };

const meSchema = named(
  "Me",
  objectSchema({
    tenant: named("MeTenant", objectSchema({ slug: text, name: text })),
    key: named(
      "MeKey",
      objectSchema({
        id: idSchema,
        name: text,
        capabilities: {
          type: "array",
          description: "As they were given to the key. `:write` includes `:read`.",
          items: { ...text, examples: [capabilities[0]] },
        },
        allow_ip: {
          type: "array",
          description: "The addresses and networks that may use the key. Empty: all.",
          items: text,
        },
        expires_at: nullable({ ...timestampSchema, description: "Null: never." }),
        limit: nullable({ ...integerSchema(1), description: "Requests per minute. Null: no limit." }),
        remaining: nullable({ ...integerSchema(0), description: "Requests left in this minute. Null: no limit." }),
      }),
    ),
    version: { ...text, description: "The version of the server." },
    commit: nullable({ ...text, description: "Its commit. Null: unknown." }),
  }),
);

export const meReference: Reference = {
  operationId: "showMe",
  tag: { name: "Me", description: "The key of a request, and its tenant." },
  summary: "Show the key of the request",
  description:
    "The tenant, the key's name, capabilities and limits, and the version of the server. A program can check them when it starts.",
  success: {
    status: 200,
    description: "The key and its tenant.",
    schema: dataOf(meSchema),
    examples: {
      key: {
        summary: "A key that reads companies",
        value: {
          data: {
            tenant: { slug: "acme", name: "Acme SRL" },
            key: {
              id: 3,
              name: "ERP",
              capabilities: ["companies:read", "changes:read"],
              allow_ip: ["203.0.113.0/24"],
              expires_at: null,
              limit: 6000,
              remaining: 5999,
            },
            version: "0.1.0",
            commit: "2c26b46b68ffc68ff99b453c1d30413413422d70",
          },
        },
      },
    },
  },
  errors: [],
};
