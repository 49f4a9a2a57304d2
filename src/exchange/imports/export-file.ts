import type { Actor } from "../../kit/actor.ts";
import type { Deps } from "../../kit/deps.ts";
import { mailing } from "../../kit/mail/mailing.ts";
import { pageErrors } from "../../kit/web/forms/page-errors.ts";
import type { Downloaded, PageRequest } from "../../kit/web/page.ts";
import { now } from "../../platform/clock.ts";
import type { ExportedRows } from "../../platform/fields/exports.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { exportCsv } from "./export-csv.ts";
import { exportNote } from "./export-note-queries.ts";
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

type Exported = { file: string; rows: number; by: string };

async function note(deps: Deps, actor: Actor, { file, rows, by }: Exported): Promise<void> {
  const details = { at: now(), file, rows, by: { name: by } };
  await deps.database.write(actor.tenant, [
    exportNote(file, rows, changedBy(actor)),
    ...mailing(deps, actor.tenant, "admins", { kind: "exported", details }),
  ]);
}
