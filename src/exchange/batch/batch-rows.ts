import { CUSTOM } from "../../platform/fields/custom.ts";
import { EXTERNAL, externalIdsIn } from "../../platform/fields/external-ids.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import { apiInput, type FieldTable, type Input } from "../../platform/fields/fields.ts";
import { withoutGroups } from "../../platform/fields/grouped-fields.ts";
import { isObject, validate } from "../../platform/fields/validation.ts";
import { trim } from "../../platform/text.ts";
import type { Kind } from "../imports/kind.ts";
import { columnNames, headerOfInputs, plainColumn, type CsvHeader } from "../imports/reading/header.ts";
import { nameIn, namesCompany, type ImportRow } from "../imports/reading/rows.ts";

/**
 * The items of a batch as rows of an import. A row's line is its item's index. An item that is not an object has no
 * fields, like a request body.
 */
export function batchRows({ bulk }: Kind, items: readonly unknown[]): ImportRow[] {
  return items.map((item, line) => {
    const input = apiInput(bulk.fields, withoutGroups(bulk.fields, isObject(item) ? item : {}));
    const identity = nameIn(bulk.fields, bulk.identity?.field, input);
    return { line, id: idIn(input), identity, external: externalIdsIn(input), input };
  });
}

/** The action of an item: its member `delete` or `restore`, or a write of its fields. */
export type Action = "write" | "delete" | "restore";

const removalFields: FieldTable = [
  { name: "delete", kind: "boolean" },
  { name: "restore", kind: "boolean" },
];

/** The actions of an item, of which it may have one; and the errors of invalid members. */
export function actionsOf({ input }: ImportRow): { actions: Action[]; errors: FieldErrors | null } {
  if (!removalFields.some(({ name }) => Object.hasOwn(input, name))) return { actions: ["write"], errors: null };
  const { values, errors } = validate(removalFields, input, "create");
  const removals = (["delete", "restore"] as const).filter((name) => values[name] === true);
  return { actions: removals.length === 0 ? ["write"] : removals, errors };
}

/**
 * The header of a file with all fields of the items. An item changes only its own fields, and does not move a row to
 * another company.
 */
export function headerOf({ bulk, ofCompany }: Kind, rows: readonly ImportRow[]): CsvHeader {
  const sent = new Set(rows.flatMap(({ input }) => Object.keys(input)));
  const kinds = new Map(bulk.fields.map(({ name, kind }) => [name, kind]));
  const columns = [...columnNames({ bulk, ofCompany }, false), EXTERNAL, CUSTOM].flatMap((name, index) => {
    return sent.has(name) ? [plainColumn(index, name, kinds.get(name) ?? "string")] : [];
  });
  return headerOfInputs(columns, { clearsEmpty: false, namesCompany: ofCompany && rows.some(namesCompany) });
}

/** An id as in a path. A text is trimmed, and an empty one counts as none, as for every field. */
function idIn({ id = null }: Input): string | null {
  if (typeof id === "string") return trim(id) || null;
  return id === null ? null : JSON.stringify(id);
}
