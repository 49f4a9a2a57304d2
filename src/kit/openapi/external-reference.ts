import { CUSTOM } from "../../platform/fields/custom.ts";
import { EXTERNAL, EXTERNAL_ID_MAX, EXTERNAL_MAX, SOURCE } from "../../platform/fields/external-ids.ts";
import { groupsOf } from "../../platform/fields/grouped-fields.ts";
import { errors } from "../errors.ts";
import type { ErrorReference } from "./reference.ts";
import type { IncludedWord, Resource } from "./resource.ts";
import { idSchema, named, nullable, objectSchema, type Schema } from "./schema.ts";

const idText: Schema = { type: "string", maxLength: EXTERNAL_ID_MAX };

function bySource(description: string, id: Schema, examples: readonly object[]): Schema {
  const propertyNames = { pattern: SOURCE.source };
  return { type: "object", description, propertyNames, additionalProperties: id, examples };
}

/** The external ids in an answer that was asked for them. */
export const externalAnswered = named(
  "ExternalIds",
  bySource("The ids that other systems gave to the resource, by source. Only with `include=external`.", idText, [
    { erp: "4711" },
  ]),
);

const sent = named(
  "ExternalIdChanges",
  bySource(
    `The ids that other systems gave to the resource, by source: up to ${EXTERNAL_MAX}. An id is unique for its source among ` +
      'the resources of this type. Sources that are not sent stay; null or `""` removes one. Answers have it only with ' +
      "`include=external`.",
    nullable(idText),
    [{ erp: "4711", shop: null }],
  ),
);

/** The member of a request's body, and of an answer that was asked for it. */
export function externalMembers({ hasExternal }: Resource, use: "sent" | "answered"): Record<string, Schema> {
  return hasExternal ? { [EXTERNAL]: use === "sent" ? sent : externalAnswered } : {};
}

const lookUps: readonly Schema[] = [
  {
    name: EXTERNAL,
    in: "query",
    description: "The resource with this external id, as `source:id`. Any other value matches nothing.",
    schema: { type: "string", examples: ["erp:4711"] },
  },
  {
    name: "ids",
    in: "query",
    description: "The resources with these ids: at most 200, separated by commas.",
    schema: { type: "string", examples: ["1,2,3"] },
  },
  {
    name: "updated_since",
    in: "query",
    description: "Resources updated at this timestamp or later. A day begins at midnight in UTC.",
    schema: { type: "string", examples: ["2026-11-20T09:15:00Z"] },
  },
];

/** The words of `include` on a route. @param embedded the members that it may have beside the external ids */
export function includedWords(
  { hasExternal, fields }: Resource,
  embedded: readonly IncludedWord[] = [],
): readonly IncludedWord[] {
  const groups = [...groupsOf(fields).keys()].map((word) => ({ word, capability: null }));
  return [...embedded, ...groups, ...(hasExternal ? [{ word: EXTERNAL, capability: null }] : [])];
}

/** The parameter `include` of a route with these words. */
export function includeParameters(words: readonly IncludedWord[]): readonly Schema[] {
  if (words.length === 0) return [];
  const described = words.map(({ word, capability }) =>
    capability === null ? `\`${word}\`` : `\`${word}\` (needs \`${capability}\`)`,
  );
  const description =
    words.length === 1
      ? `${described.join("")} adds the member \`${EXTERNAL}\`. Separate words by commas. Other words are ignored.`
      : `Members to add to the answer: ${described.join(", ")}. Separate them by commas. Other words are ignored.`;
  return [{ name: "include", in: "query", description, schema: { type: "string", examples: [words.at(-1)?.word] } }];
}

const byValues: Schema = {
  name: CUSTOM,
  in: "query",
  description: "`custom[KEY]=VALUE`: resources with this value of a custom field. At most three fields.",
  style: "deepObject",
  explode: true,
  schema: {
    type: "object",
    additionalProperties: { type: "string" },
    maxProperties: 3,
    examples: [{ price_list: "gold" }],
  },
};

/** The parameters of a list that look resources up. */
export function lookUpParameters({ hasExternal, hasCustom, lookUps: own = [] }: Resource): readonly Schema[] {
  return [...(hasExternal ? [...lookUps, ...own] : []), ...(hasCustom ? [byValues] : [])];
}

/** The error of a write of external ids. */
export function externalErrors({ hasExternal, model, singular }: Resource): ErrorReference[] {
  if (!hasExternal) return [];
  const example = errors.externalIdTaken({ type: singular, id: 1, source: "erp", external_id: "4711" });
  return [
    {
      name: "externalIdTaken",
      summary: `An external id that another ${singular} has`,
      example,
      meaning: `The external id belongs to another ${singular} of the tenant.`,
      schema: named(
        `${model}ExternalIdTaken`,
        objectSchema({
          error: { type: "string", const: `Another ${singular} has this external id.` },
          data: {
            description: `The ${singular} that has the external id.`,
            ...named(
              "ExternalIdHolder",
              objectSchema({ id: idSchema, source: { type: "string" }, external_id: { type: "string" } }),
            ),
          },
        }),
      ),
    },
  ];
}
