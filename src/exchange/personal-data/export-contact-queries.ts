import { changeJson, writerJson } from "../../kit/changes/change-json.ts";
import { changeColumns, nameOfWriter } from "../../kit/changes/change-queries.ts";
import { findingAnswersOf } from "../../kit/stored-answers/stored-answer-queries.ts";
import { isoTimestamp } from "../../platform/dates.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { slowQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Row, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { isOfContact } from "./personal-data-queries.ts";

/** Rows per query: each may have half a megabyte of text, and memory is reserved for four (outgoing.ts). */
export const AT_ONCE = 4;

/** Rows of a contact, in parts of AT_ONCE, each behind the last row of the part before. */
type Parts = (tenant: TenantId, database: Database, id: string) => AsyncGenerator<string[]>;

function inParts(statement: Statement, beginning: string[], { place, json }: RowReading): Parts {
  return async function* (tenant, database, id) {
    for (let behind = beginning; ;) {
      const rows = await database.slow.read(tenant, statement, [id, AT_ONCE, ...behind]);
      yield rows.map(json);
      const last = rows.at(-1);
      if (last === undefined || rows.length < AT_ONCE) return;
      behind = place(last);
    }
  };
}

type RowReading = { place: (row: Row) => string[]; json: (row: Row) => string };

const changesStatement: Statement = {
  name: "export_changes",
  text: `select ${changeColumns.sql} from changes h
  where h.tenant_id = $1 and h.type = 'contact' and h.resource_id = $2 and h.id > $4 order by h.id limit $3`,
};

/** The changes of a contact in the API's format, by ascending id. */
export const changesOf = inParts(changesStatement, ["0"], {
  place: (row) => [changeColumns.read(row).id],
  json: changeJson,
});

const activity = selectList({
  id: "h.id",
  at: "h.at",
  kind: "h.kind",
  note: "h.note",
  changedBy: "h.changed_by",
  writerName: nameOfWriter,
});

const activitiesStatement: Statement = {
  name: "export_activities",
  text: `select ${activity.sql} from activities h
  where h.tenant_id = $1 and h.contact_id = $2 and (h.at, h.id) > ($4::timestamptz, $5::bigint) order by h.at, h.id limit $3`,
};

/** The activities with a contact, oldest first. */
export const activitiesOf = inParts(activitiesStatement, ["-infinity", "0"], {
  place: (row) => {
    const { at, id } = activity.read(row);
    return [String(at), String(id)];
  },
  json: (row) => {
    const { id, at, kind, note, changedBy, writerName } = activity.read(row);
    const [moment, by] = [isoTimestamp(String(at)), writerJson(changedBy, writerName)];
    return `{"id":${id},"at":"${moment}","kind":${JSON.stringify(kind)},"note":${JSON.stringify(note)},"by":${by}}`;
  },
});

const call = selectList({
  id: "h.id",
  date: "h.due_on",
  about: "h.about",
  isOver: column.flag("h.deleted_at is not null"),
});

const callsStatement: Statement = {
  name: "export_planned_calls",
  text: `select ${call.sql} from planned_calls h
  where h.tenant_id = $1 and h.contact_id = $2 and h.id > $4 order by h.id limit $3`,
};

/** The calls that were planned with a contact, by ascending id. */
export const plannedCallsOf = inParts(callsStatement, ["0"], {
  place: (row) => [String(call.read(row).id)],
  json: (row) => {
    const { id, date, about, isOver } = call.read(row);
    return `{"id":${id},"due_on":"${date}","about":${JSON.stringify(about)},"is_over":${isOver}}`;
  },
});

/** The ids of the saved answers that contain a contact. */
export async function answerIdsOf(tenant: TenantId, database: Database, id: string): Promise<string[]> {
  const [rows = []] = await database.slow.readAll(tenant, [findingAnswersOf(id)]);
  return rows.map(([answer]) => String(answer));
}

/** The imports that wrote a contact and whose records still exist. */
export const importsOf = slowQuery<[id: string]>(
  "imports_of_contact",
  `select r.import_id from import_rows r where ${isOfContact}`,
).all(([importId]) => Number(importId));
