import type { Alike } from "../../customers/alike/alike-to.ts";
import { sentences } from "../../kit/errors.ts";
import { externalName } from "../../platform/fields/external-ids.ts";
import { fieldMessages } from "../../platform/fields/field-reasons.ts";
import { groupedErrors } from "../../platform/fields/grouped-fields.ts";
import { shortened } from "../../platform/text.ts";
import type { Rejection } from "../imports/kind.ts";
import { SAID, type ImportRow } from "../imports/reading/rows.ts";
import { importReasonIn } from "../imports/reasons.ts";
import type { BatchKind } from "./batch-kind.ts";

/** The outcome of an item (docs/contract.md 17). `id` is null if there is no row. */
export type ItemResult =
  | { index: number; outcome: Outcome; id: string | null; external?: unknown; alike?: readonly Alike[] }
  | { index: number; outcome: "rejected"; id: string | null; errors: Record<string, string[]> }
  | { index: number; outcome: "rejected"; id: string | null; error: string; details?: string };

type Outcome = "created" | "updated" | "unchanged" | "deleted" | "restored";

/** Errors of the API's own in its order of checks; otherwise the messages of validation. */
export function rejectedItem({ model, taken, kind }: BatchKind, rejection: Rejection): ItemResult {
  const { line: index, errors, row, cause, id = null } = rejection;
  const refused = (error: string): ItemResult => ({ index, outcome: "rejected", id, error });
  if (cause?.what === "missing") return refused(missing(model, cause.named));
  if (cause?.what === "company-missing") return refused(missing("Company", cause.named));
  if (cause?.what === "invoice-missing") return refused(missing("Invoice", cause.named));
  if (cause?.what === "taken") return refused(taken ?? "");
  if (cause?.what === "external-taken") return refused(sentences.externalIdTaken(model.toLowerCase()));
  if (row !== undefined) return refused(importReasonIn("en", row));
  return { index, outcome: "rejected", id, errors: fieldMessages(groupedErrors(kind.bulk.fields, errors)) };
}

/** The result of an item that names no resource, by the name that it has. */
export function missingItem(batch: BatchKind, { line, id, identity, external = [] }: ImportRow): ItemResult {
  const [first] = external;
  const named = id ?? (first === undefined ? identity?.text : externalName(first));
  if (named === undefined) return rejectedItem(batch, { line, errors: { id: [{ code: "required" }] } });
  return rejectedItem(batch, { line, errors: {}, cause: { what: "missing", named } });
}

function missing(model: string, named: string): string {
  return sentences.missing(model, shortened(named, SAID));
}
