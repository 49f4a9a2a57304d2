import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { CustomKind, CustomNoun } from "./custom-field.ts";

const defined = selectList({
  noun: column.text<CustomNoun>("k.noun"),
  key: column.text("k.key"),
  label: column.text("k.label"),
  kind: column.text<CustomKind>("k.kind"),
  // Hidden fields have none here: they are read every few seconds, and can be long.
  options: "case when not k.archived and k.deleted_at is null then k.options end",
  help: "k.help",
  isShown: column.flag("not k.archived and k.deleted_at is null"),
});

/**
 * All definitions of a tenant in the order of their positions: archived ones too, and deleted ones until no record has
 * a value of them, since their keys are not free.
 */
export const findDefined = quickQuery(
  "defined_fields",
  `select ${defined.sql} from custom_fields k where k.tenant_id = $1 and k.purged_at is null order by k.position, k.id`,
).all(defined.read);

/** A definition as each process remembers it: a hidden one without its options. */
export type DefinedField = Selected<typeof defined>;
