import type { FieldTable, Input } from "../../platform/fields/fields.ts";
import { idSchema, nullable, timestampSchema, type Schema } from "./schema.ts";

/** A group of operations. */
export type Tag = { name: string; description: string };

/** A kind of resource that is listed, created, shown, updated and deleted: its references are made from this. */
export type Resource = {
  tag: Tag;
  /** Its name in messages; the names of its schemas begin with it. */
  model: string;
  singular: string;
  plural: string;
  fields: FieldTable;
  /** The members of its JSON in lists and in the answers to POST and PUT, in order. */
  members: readonly string[];
  /** The fields that answers have only if they differ from the default. */
  sometimes?: readonly string[];
  /** The members that lists leave out. */
  notInLists?: readonly string[];
  /** The members that only GET of a single one adds. */
  membersOfOne: readonly string[];
  /** The texts of members that are no fields. */
  readOnly: Readonly<Record<string, ReadOnlyMember>>;
  /** Whether it carries the ids of other systems. */
  hasExternal?: true;
  /** Whether workspaces define further fields of it. */
  hasCustom?: true;
  /**
   * The members that lists have only if a request asks for them, each with the capability that it needs. Without a
   * schema it is a field.
   */
  embedded?: readonly (IncludedWord & { schema?: Schema })[];
  /** The parameters of its own that look resources up in its list. */
  lookUps?: readonly Schema[];
  /** The fields that `search` covers. */
  searched: readonly string[];
  /** The order of its list, in words. */
  order: string;
  /** A partial update, as an example. */
  change: Input;
};

/** A word of `include`: the answer then has this further member. */
export type IncludedWord = {
  word: string;
  /** The capability that it needs beside the route's own; null: none. */
  capability: string | null;
};

export type ReadOnlyMember = {
  schema: Schema;
  example: unknown;
  /** The example of a resource created with the required fields only, if it differs. */
  minimal?: unknown;
};

export const CREATED_AT = "2026-11-20T09:15:00.123456Z";
export const UPDATED_AT = "2026-11-21T14:02:31.000250Z";

/** The members that every kind of resource has. */
export const everyonesMembers: Resource["readOnly"] = {
  id: { schema: idSchema, example: 1 },
  created_at: { schema: timestampSchema, example: CREATED_AT },
  updated_at: {
    schema: { ...timestampSchema, description: "When a stored value last changed. UTC, with microseconds." },
    example: CREATED_AT,
  },
  deleted_at: {
    schema: nullable({
      ...timestampSchema,
      description: "Always null: a deleted resource is in no answer.",
    }),
    example: null,
  },
};

/** The member of those that have a `metadata`. */
export const metadataMember: ReadOnlyMember = {
  schema: nullable({
    type: "object",
    description: "The values of the workspace's custom fields by key, in their order. Write them as `custom`.",
    additionalProperties: true,
  }),
  example: null,
};
