import { errors } from "../../kit/errors.ts";
import { externalOf } from "./list-page.ts";
import type { AgentSession, JsonObject } from "./session.ts";
import type { Arguments } from "./tool.ts";

const lists = {
  company: { model: "Company", route: "GET /companies", other: "tax_id or external" },
  contact: { model: "Contact", route: "GET /contacts", other: "external" },
} as const;

/** The id of the company or contact that arguments name by `id`, `tax_id` or `external`. Throws resourceMissing. */
export async function idOfNamed(session: AgentSession, type: keyof typeof lists, args: Arguments): Promise<number> {
  const { id, tax_id: taxId } = args as { id?: number; tax_id?: string };
  if (id !== undefined) return id;
  const external = externalOf(args);
  const { model, route, other } = lists[type];
  if (taxId === undefined && external === undefined) {
    throw errors.validationFailed({ id: [{ code: "requiredWithout", other }] });
  }
  const answer = await session.call(session.deps, route, { query: { tax_id: taxId, external, per_page: 1 } });
  const [first] = (await session.read<{ data: JsonObject[] }>(answer)).data;
  if (first === undefined) throw errors.resourceMissing(model, taxId ?? external ?? "");
  return Number(first.id);
}
