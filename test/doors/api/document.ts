import assert from "node:assert/strict";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isEmail } from "../../../src/platform/email.ts";
import { request } from "../../harness.ts";

/** The published OpenAPI document, as far as tests look into it. */
export type Document = {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, object>;
  components: {
    schemas: Record<string, SchemaObject>;
    responses: Record<string, ResponseObject>;
    headers: Record<string, HeaderObject>;
  };
};

/** A schema, as far as tests look into it. */
export type SchemaObject = Record<string, unknown> & {
  description?: string;
  type?: string | string[];
  minLength?: number;
  properties?: Record<string, SchemaObject>;
};

export type Operation = {
  parameters?: SchemaObject[];
  summary: string;
  description: string;
  security: { apiKey: string[] }[];
  requestBody?: { content: Content };
  responses: Record<string, ResponseObject | Reference>;
};

/** An answer without a body has no content. */
export type ResponseObject = { headers: Record<string, HeaderObject | Reference>; content?: Content };
export type Content = { "application/json": { examples: Record<string, { value: unknown }> } };
type HeaderObject = { required?: boolean; schema: { type: string; enum?: string[]; pattern?: string } };
type Reference = { $ref: string };

export const DOCUMENT_PATH = "/api/v1/openapi.json";

export async function fetchDocument(url: string): Promise<Document> {
  return (await request(url, "GET", DOCUMENT_PATH)).body as Document;
}

/** Follows a reference inside the document. */
export function resolve<T extends object>(document: Document, node: T | Reference): T {
  if (!("$ref" in node)) return node;
  return keysOf(node.$ref).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as T;
}

/** An answer to check; `headers` by lower-case names. */
export type Received = { status: number; headers: { get(name: string): string | null | undefined }; body: unknown };

/**
 * Checks answers against the document: the status is one of the operation's, the body fits its schema with every object
 * closed, and the headers are those documented.
 */
export function createChecker(document: Document): (method: string, path: string, answer: Received) => void {
  const ajv = ajvOf(document);

  return (method, path, { status, headers, body }) => {
    const name = `${method} ${path} ${status}`;
    const documented = document.paths[path]?.[method.toLowerCase()]?.responses[status];
    assert.ok(documented !== undefined, `${name} is not documented: ${JSON.stringify(body)}`);
    const response = resolve(document, documented);
    checkHeaders(document, name, response, headers);
    if (response.content === undefined) {
      assert.deepEqual([headers.get("content-type"), body], [null, ""], name);
      return;
    }
    assert.equal(headers.get("content-type"), "application/json; charset=utf-8", name);

    const place =
      "$ref" in documented ? documented.$ref : pointer("paths", path, method.toLowerCase(), "responses", `${status}`);
    const reference = `document${place}/content/application~1json/schema`;
    const fits = ajv.getSchema(reference);
    assert.ok(fits !== undefined, `${name} has no schema at ${reference}`);
    assert.ok(fits(body), `${name}: ${ajv.errorsText(fits.errors)} in ${JSON.stringify(body)}`);
  };
}

/** Checks messages of webhooks against the document, with every object closed. */
export function createMessageChecker(document: Document): (event: string, message: unknown) => void {
  const ajv = ajvOf(document);
  return (event, message) => {
    const place = pointer("webhooks", event, "post", "requestBody", "content", "application/json", "schema");
    const fits = ajv.getSchema(`document${place}`);
    assert.ok(fits !== undefined, `the event ${event} is not documented`);
    assert.ok(fits(message), `${event}: ${ajv.errorsText(fits.errors)} in ${JSON.stringify(message)}`);
  };
}

function ajvOf(document: Document): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat("idn-email", isEmail);
  return ajv.addSchema(closed(document) as object, "document");
}

const OURS = [
  "accept-encoding",
  "allow",
  "etag",
  "idempotency-replayed",
  "link",
  "retry-after",
  "server-timing",
  "traceparent",
  "www-authenticate",
  "x-body-ignored",
  "x-query-ignored",
  "x-error-code",
  "x-merged-into",
  "x-request-id",
];
const LIMITS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit-policy", "ratelimit"];

function checkHeaders(document: Document, name: string, response: ResponseObject, headers: Received["headers"]): void {
  const documented = new Map(Object.entries(response.headers).map(([header, ref]) => [header.toLowerCase(), ref]));
  for (const header of [...OURS, ...LIMITS]) {
    const value = headers.get(header) ?? null;
    const reference = documented.get(header);
    if (reference === undefined) {
      assert.equal(value, null, `${name}: the header ${header} is not documented`);
      continue;
    }
    const { required = false, schema } = resolve<HeaderObject>(document, reference);
    const { pattern } = schema;
    if (value !== null && pattern !== undefined) assert.match(value, new RegExp(pattern), `${name}: ${header}`);
    if (schema.enum !== undefined) assert.ok(schema.enum.includes(value ?? ""), `${name}: ${header} is ${value}`);
    assert.ok(value !== null || !required, `${name}: the header ${header} is missing`);
    if (value !== null && schema.type === "integer") assert.match(value, /^\d+$/, `${name}: ${header}`);
  }
}

/** A copy whose objects have no members but those described, so that an undocumented one fails. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isOpen = "properties" in copy && "type" in copy && !("additionalProperties" in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

function pointer(...keys: string[]): string {
  return ["#", ...keys.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1")))].join("/");
}

function keysOf(reference: string): string[] {
  return reference.slice(2).split("/");
}
