import { UNDO_DAYS } from "./stored-merge-queries.ts";
import type { UndoOutcome } from "./undo-merge.ts";

export type UndoRefused = Exclude<UndoOutcome, { outcome: "undone" | "missing" | "tax-id-taken" }>;

export function undoRefusals(refused: UndoRefused): string {
  switch (refused.outcome) {
    case "already-undone":
      return "It was undone already.";
    case "too-late":
      return `It is more than ${UNDO_DAYS} days old.`;
    case "kept-deleted":
      return `The ${refused.noun.type} that was kept is deleted: restore it first.`;
    case "merged-later":
      return `What was kept was merged later: undo merge ${refused.mergeId} first.`;
  }
}

/** "invoices: 2, contacts: 1", without what did not move. */
export function kindCounts(moved: Readonly<Record<string, number>>): string {
  return Object.entries(moved)
    .flatMap(([kind, count]) => (count > 0 ? `${kind.replaceAll("_", " ")}: ${count}` : []))
    .join(", ");
}
