import type { Actor } from "../../kit/actor.ts";
import type { Deps } from "../../kit/deps.ts";
import { mailing } from "../../kit/mail/mailing.ts";
import { pageErrors } from "../../kit/web/forms/page-errors.ts";
import type { Downloaded, PageRequest } from "../../kit/web/page.ts";
import { now } from "../../platform/clock.ts";
import type { ExportedRows } from "../../platform/fields/exports.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import type { Statement } from "../../platform/postgres/statement.ts";
import { exportCsv } from "./export-csv.ts";
import { kindOf } from "./kinds.ts";

/** An export with more rows than these is in the history, and the admins get a mail. */
const MOST_UNTOLD = 1_000;

/** The rows of an export that are found when it is read; undefined: all of the kind. */
type FoundRows = () => Promise<ExportedRows | undefined>;

/**
 * A file with rows of a kind, for a person who may export. Throws adminsOnly. The rows that left are counted even if
 * the person stops the download.
 */
export function exportFile(deps: Deps, request: PageRequest, kind: string, find?: FoundRows): Downloaded {
  if (!request.session.user.mayExport) throw pageErrors.adminsOnly();
  const { actor, session, language } = request;
  const file = `${kind}.csv`;
  async function* body(): AsyncGenerator<string> {
    let rows = 0;
    try {
      const found = await find?.();
      yield* exportCsv(deps, actor.tenant, kindOf(kind), found, language, (count) => (rows += count));
    } finally {
      if (rows > MOST_UNTOLD) await note(deps, actor, { file, rows, by: session.user.name });
    }
  }
  return { file, contentType: "text/csv; charset=utf-8", body: body() };
}

const noteStatement: Statement = {
  name: "note_export",
  text: `insert into changes (tenant_id, at, type, resource_id, action, changed, changed_by)
  values ($1, clock_timestamp(), 'workspace', $1, 'updated', $2, $3)`,
};

type Exported = { file: string; rows: number; by: string };

async function note(deps: Deps, actor: Actor, { file, rows, by }: Exported): Promise<void> {
  const changed = JSON.stringify({ exported: { from: null, to: file }, rows: { from: null, to: rows } });
  const details = { at: now(), file, rows, by: { name: by } };
  await deps.database.write(actor.tenant, [
    { statement: noteStatement, parameters: [changed, changedBy(actor)] },
    ...mailing(deps, actor.tenant, "admins", { kind: "exported", details }),
  ]);
}
