import type { Route } from "../routes.ts";
import { INTEGER_MAX } from "../platform/fields/fields.ts";
import type { Noun } from "./nouns.ts";
import type { Schema } from "./schema.ts";

/** The path's parameter, and those of the query where the route is a list. */
export function parametersOf({ method, path }: Route, noun: Noun | undefined): { parameters?: Schema[] } {
  const id = /\{(\w+)\}/.exec(path)?.[1];
  const isList = method === "GET" && !path.endsWith("/{id}");
  const parameters = [...(id === undefined ? [] : [idParameter(id)]), ...(isList ? [...filters(noun), ...paging] : [])];
  return parameters.length === 0 ? {} : { parameters };
}

function idParameter(name: string): Schema {
  return {
    name,
    in: "path",
    required: true,
    description: name === "company" ? "The company's id." : "The id.",
    schema: { type: "integer", format: "int64", minimum: 1 },
    example: 1,
  };
}

/** Their examples are the schemas': a parameter's own would be filled in when the reference page tries a request. */
function filters(noun: Noun | undefined): Schema[] {
  if (noun === undefined) return [];
  const searched = noun.searched.map((name) => `\`${name}\``).join(", ");
  const search = {
    name: "search",
    in: "query",
    description: `A part of any one of ${searched}; case and accents make no difference. Empty: no filter.`,
    schema: { type: "string", examples: [String(noun.fields[0]?.example ?? "").slice(0, 4)] },
  };
  return noun.model === "Company" ? [search, ...companyFilters(noun)] : [search];
}

function companyFilters({ fields }: Noun): Schema[] {
  return [
    {
      name: "status",
      in: "query",
      description: "Companies of this status. Any other value matches nothing.",
      schema: { type: "string", enum: fields.find(({ name }) => name === "status")?.values, examples: ["active"] },
    },
    {
      name: "assigned_to",
      in: "query",
      description: "Companies assigned to this user. What is no id matches nothing.",
      schema: { type: "integer", format: "int64", minimum: 1, maximum: INTEGER_MAX, examples: [1] },
    },
  ];
}

const paging: Schema[] = [
  {
    name: "page",
    in: "query",
    description: "The page, from 1. A page beyond the last is empty. Anything but a positive integer counts as 1.",
    schema: { type: "integer", minimum: 1, default: 1 },
    example: 1,
  },
  {
    name: "per_page",
    in: "query",
    description: "Items per page. More than 200 count as 200, anything but a positive integer as 50.",
    schema: { type: "integer", minimum: 1, maximum: 200, default: 50 },
    example: 50,
  },
];
