import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Resource,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { address } from "../../customers/addresses/address.ts";
import { company } from "../../customers/companies/company.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { invoice } from "../../orders/invoices/invoice.ts";
import { apiFields } from "../../platform/fields/fields.ts";
import { asHttpError } from "../../platform/http/answers.ts";
import { isSearchable } from "../../platform/http/lists/pagination.ts";
import { fittingResult } from "./results.ts";
import { argumentsSchema, fieldArguments } from "./schemas.ts";
import type { AgentSession } from "./session.ts";
import type { ReadingTool } from "./tool.ts";
import { finders } from "./tools/find.ts";
import { getCompanyTool } from "./tools/get-company.ts";
import { getContactTool } from "./tools/get-contact.ts";
import { getInvoiceTool } from "./tools/get-invoice.ts";

const JSON_TYPE = "application/json";
const MARKDOWN = "text/markdown";
/** The longest text of a resource, in bytes. */
const TEXT_MAX = 24_000;
const MOST_COMPLETIONS = 20;

/** The types of records, and the tool that reads one. */
const records = { companies: getCompanyTool, contacts: getContactTool, invoices: getInvoiceTool };

const nouns = { company, contact, address, invoice };

/** The resources that do not depend on data: the pages of the reference, and the fields of each noun. */
export function listResources({ documents }: AgentSession): Resource[] {
  const pages = documents.list().filter(({ name }) => !name.startsWith("errors/"));
  return [
    ...Object.keys(nouns).map((noun) => ({
      uri: `liaison://schema/${noun}`,
      name: `schema ${noun}`,
      title: `The fields of ${noun === "company" || noun === "contact" ? "a" : "an"} ${noun}`,
      mimeType: JSON_TYPE,
    })),
    ...pages.map(({ name, title }) => ({ uri: `liaison://docs/${name}`, name, title, mimeType: MARKDOWN })),
  ];
}

export const resourceTemplates: readonly ResourceTemplateType[] = [
  ...Object.entries(records).map(([type, { title }]) => ({
    uriTemplate: `liaison://${type}/{id}`,
    name: type,
    title,
    mimeType: JSON_TYPE,
  })),
  { uriTemplate: "liaison://errors/{code}", name: "errors", title: "What an error code means", mimeType: MARKDOWN },
  { uriTemplate: "liaison://docs/{+page}", name: "docs", title: "A page of the reference", mimeType: MARKDOWN },
  { uriTemplate: "liaison://schema/{noun}", name: "schema", title: "The fields of a noun", mimeType: JSON_TYPE },
];

/** Reads a resource. Throws ResourceNotFoundError for whatever is not there or not for this key. */
export async function readResource(session: AgentSession, uri: string) {
  const [, type = "", name = ""] = /^liaison:\/\/([a-z]+)\/([\w/-]{1,100})$/.exec(uri) ?? [];
  if (isRecord(type)) return contents(uri, JSON_TYPE, await recordText(session, records[type], uri, name));
  if (type === "schema" && Object.hasOwn(nouns, name)) {
    const { fields } = nouns[name as keyof typeof nouns];
    return contents(uri, JSON_TYPE, JSON.stringify(argumentsSchema(fieldArguments(apiFields(fields)))));
  }
  const page = type === "errors" ? `errors/${name}` : type === "docs" ? name : "";
  const text = page === "" ? null : session.documents.read(page);
  if (text === null) throw new ResourceNotFoundError(uri);
  return contents(uri, MARKDOWN, text);
}

function isRecord(type: string): type is keyof typeof records {
  return Object.hasOwn(records, type);
}

function contents(uri: string, mimeType: string, text: string) {
  const bytes = Buffer.from(text);
  const shown = bytes.length <= TEXT_MAX ? text : `${bytes.subarray(0, TEXT_MAX).toString()}\n\n(The text goes on.)`;
  return { contents: [{ uri, mimeType, text: shown }] };
}

async function recordText(session: AgentSession, tool: ReadingTool, uri: string, name: string): Promise<string> {
  if (!/^[1-9]\d{0,15}$/.test(name)) throw new ResourceNotFoundError(uri);
  try {
    for (const capability of tool.needs) session.require(capability);
    const fitting = fittingResult(await tool.run(session, { id: Number(name) }, { rows: 1 }), true);
    return "result" in fitting ? JSON.stringify(fitting.result.structuredContent) : "{}";
  } catch (error) {
    const { status, code } = asHttpError(error);
    if (status === 403 || status === 404) throw new ResourceNotFoundError(uri, `${uri}: ${String(code)}`);
    if (status < 500) throw new ProtocolError(ProtocolErrorCode.InvalidParams, String(code));
    throw error;
  }
}

/** The ids of records whose names match, best first: the completion of an argument of a template or prompt. */
export async function completeId(session: AgentSession, type: string, typed: string): Promise<string[]> {
  const sought = typed.trim().slice(0, 200);
  if (!isRecord(type) || !session.may(`${type}:read`) || sought === "" || !isSearchable(sought)) return [];
  const { deps, actor } = session;
  const found = await finders[type](actor.tenant, deps.database, sought, MOST_COMPLETIONS);
  return found.slice(0, MOST_COMPLETIONS).map(({ id }) => id);
}
