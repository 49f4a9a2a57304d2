import type { Deps } from "../../kit/deps.ts";
import type { Answer } from "../../kit/endpoint.ts";
import type { Schema } from "../../kit/openapi/schema.ts";
import { customName } from "../../platform/fields/custom.ts";
import { external, list, type Properties } from "./schemas.ts";
import type { AgentSession, JsonObject } from "./session.ts";
import type { Arguments } from "./tool.ts";

/** The paths of a noun: of one resource, and of the list that a new one is added to. `query`: of each. */
type Paths = { one: string; all: string; query?: { include: string } };

/**
 * Creates a resource, or changes the one with the id. Without `etag` it is written over the state that was read just
 * before, so that a change in between is not lost.
 * @param member its name in the result
 * @param fields what the API gets
 */
export async function writeResource(
  session: AgentSession,
  deps: Deps,
  { one, all, ...included }: Paths,
  { member, args, fields }: { member: string; args: Arguments; fields: Arguments },
): Promise<Answer> {
  const input = { ...fields, ...externalInput(args) };
  if (args.id === undefined) {
    const written = await session.call(deps, `POST ${all}`, { params: args, input, ...included });
    const { data } = await session.read(written);
    return resultOf(written, { outcome: "created", [member]: data });
  }
  const before = await session.call(deps, `GET ${one}`, { params: args, ...included });
  const { data: old } = await session.read<{ data: JsonObject }>(before);
  const ifMatch = (args.etag as string | undefined) ?? before.etag;
  const written = await session.call(deps, `PUT ${one}`, { params: args, input, ifMatch, ...included });
  const { data } = await session.read<{ data: JsonObject }>(written);
  const { custom, ...own } = fields;
  const differs = (before: unknown, now: unknown) => JSON.stringify(before) !== JSON.stringify(now);
  const valueIn = ({ metadata }: JsonObject, key: string) => (metadata as JsonObject | null | undefined)?.[key];
  const changed = [
    ...Object.keys(own).filter((name) => differs(old[name], data[name])),
    ...Object.keys(custom ?? {})
      .filter((key) => differs(valueIn(old, key), valueIn(data, key)))
      .map(customName),
  ];
  const isSame = old.updated_at === data.updated_at;
  return resultOf(written, {
    outcome: isSame ? "unchanged" : "updated",
    [member]: data,
    changed: isSame ? [] : changed,
  });
}

/** The answer that is stored: the result itself, of the resource that the endpoint wrote. */
function resultOf({ etag, shows }: Answer, data: JsonObject): Answer {
  const json = JSON.stringify({ ...data, etag });
  return { status: 200, json, ...(shows !== undefined && { shows }) };
}

/** The result of writing a resource. */
export function writtenOutput(member: string, resource: Schema): Properties {
  return {
    outcome: { type: "string", enum: ["created", "updated", "unchanged"] },
    [member]: resource,
    changed: list({ type: "string" }, "The fields that have another value now."),
    etag: { type: "string" },
  };
}

/** The arguments that name the state a change is for. */
export const etag: Schema = {
  type: "string",
  maxLength: 200,
  description: "From reading it: the write fails if the resource was changed since.",
};

/** An external id that a write adds. */
export const writtenExternal: Schema = { ...external, description: "Its id in another system, which is stored." };

function externalInput({ external: named }: Arguments): Arguments {
  if (named === undefined) return {};
  const { source, id } = named as { source: string; id: string };
  return { external: { [source]: id } };
}

/** The arguments that are fields of a noun. */
export function fieldsOf(args: Arguments, fields: readonly { name: string; within?: string }[]): Arguments {
  const names = [...new Set(fields.map(({ name, within }) => within ?? name))].filter((name) =>
    Object.hasOwn(args, name),
  );
  return Object.fromEntries(names.map((name) => [name, args[name]]));
}
