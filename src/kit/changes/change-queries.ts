import { TEXT_MAX, type FieldTable } from "../../platform/fields/fields.ts";
import { bytesLeftOut, listColumnsOf } from "../../platform/fields/long-texts.ts";
import { slowQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
import { numberedList, rowsOf } from "../../platform/reads/numbered.ts";
import { HIDDEN, hiddenTypes, type ChangeType } from "./change.ts";

/**
 * The current name of the key or user in `changed_by` of the table with alias `h`. The name of a user who confirmed an
 * assistant's write follows behind a separator (change-words.ts).
 */
export const nameOfWriter = `case
  when h.changed_by like 'mcp:%:%' then (select concat_ws(chr(31), k.name, u.name) from api_keys k
    left join users u on u.tenant_id = $1 and u.id = split_part(h.changed_by, ':', 3)::bigint
    where k.tenant_id = $1 and k.id = split_part(h.changed_by, ':', 2)::bigint)
  when h.changed_by like 'key:%' or h.changed_by like 'mcp:%'
    then (select k.name from api_keys k where k.tenant_id = $1 and k.id = substr(h.changed_by, 5)::bigint)
  when h.changed_by like 'user:%'
    then (select u.name from users u where u.tenant_id = $1 and u.id = substr(h.changed_by, 6)::bigint)
end`;

/** The condition that a row `h` is of an author, given as in `changed_by`. A key's are also those of its assistants. */
export function isByWriter(parameter: string): string {
  const assistant = `replace(${parameter}, 'key:', 'mcp:')`;
  return `(h.changed_by in (${parameter}, ${assistant}) or starts_with(h.changed_by, ${assistant} || ':'))`;
}

/** A change of a child that was hidden or shown with its company (migrations/functions/note_children.sql). */
const isOfHidden = `h.type in ('${hiddenTypes.join("', '")}')`;

const columnsWith = (changed: string) =>
  selectList({
    id: column.text("h.id"),
    at: column.text("h.at"),
    type: column.text<ChangeType>(`case when ${isOfHidden} then replace(h.type, '${HIDDEN}', '') else h.type end`),
    resourceId: column.text("h.resource_id"),
    companyId: `case when ${isOfHidden} then h.changed::json ->> 'company_id' else h.company_id::text end`,
    action: "h.action",
    changed: `case when ${isOfHidden} then '{}' else ${changed} end`,
    changedBy: "h.changed_by",
    writerName: nameOfWriter,
  });

/** The columns of a row `h` of `changes`. */
export const changeColumns = columnsWith("h.changed");

/** Reads a row of `changes`, as PostgreSQL's text. */
export const changeOf = changeColumns.read;

/** The column holds texts before and after the change, so it can be as long as all of them together. */
const long: FieldTable = [{ name: "changed", kind: "string", max: TEXT_MAX }];

/**
 * A page of the changes of a resource (`:type`, `:resource`; platform/fields/long-texts.ts), newest first. It does not
 * use the quick reads, because a resource can have any number of changes.
 */
export const listChanges = numberedList(
  "changes",
  {
    reader: "slow",
    table: "changes h",
    condition: "h.tenant_id = $1 and h.type = :type and h.resource_id = :resource",
    order: "h.at desc, h.id desc",
  },
  rowsOf(`${columnsWith(listColumnsOf(["changed"], long, "h")).sql}, ${bytesLeftOut(["changed"], long, "h")}`),
);

/** Changes of a page with their complete texts. */
export const wholeChanges = slowQuery<[ids: string[]]>(
  "whole_changes",
  `select ${changeColumns.sql} from changes h where h.tenant_id = $1 and h.id = any($2::bigint[])`,
).rows();
