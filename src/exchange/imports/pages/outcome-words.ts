import { wholeNumber, type InLanguages } from "../../../kit/web/language.ts";

/** The words of a check's tabs and their rows, and of an import's result. */
export const outcomeWords = {
  en: {
    rowsOfFile: "Rows of the file",
    outcomes: { create: "Create", change: "Change", same: "Same", skip: "Skip" },
    noRows: {
      create: "No row creates anything.",
      change: "No row changes anything.",
      same: "No row has the values that are stored already.",
      skip: "No row is skipped.",
    },
    otherFields: "Other fields",
    nothingYet: "Nothing is written yet.",
    done: (created: number, changed: number, same: number, skipped: number) =>
      [
        created > 0 && `${wholeNumber("en", created)} created`,
        changed > 0 && `${wholeNumber("en", changed)} changed`,
        same > 0 && `${wholeNumber("en", same)} the same`,
        skipped > 0 && `${wholeNumber("en", skipped)} skipped`,
      ]
        .filter(Boolean)
        .join(", "),
    undone: (deleted: number, restored: number, kept: number) =>
      [
        deleted > 0 && `${wholeNumber("en", deleted)} deleted`,
        restored > 0 && `${wholeNumber("en", restored)} restored`,
        kept > 0 && `${wholeNumber("en", kept)} left as ${kept === 1 ? "it is" : "they are"}`,
      ]
        .filter(Boolean)
        .join(", "),
    nothingDone: "Nothing was written.",
    writtenTitle: "What was written",
    wasCreated: "created",
    wasChanged: "changed",
  },
  ro: {
    rowsOfFile: "Rândurile fișierului",
    outcomes: { create: "Noi", change: "Modificate", same: "Neschimbate", skip: "Omise" },
    noRows: {
      create: "Niciun rând nu adaugă ceva.",
      change: "Niciun rând nu modifică ceva.",
      same: "Niciun rând nu are exact valorile salvate.",
      skip: "Niciun rând nu este omis.",
    },
    otherFields: "Alte câmpuri",
    nothingYet: "Încă nu s-a scris nimic.",
    done: (created: number, changed: number, same: number, skipped: number) =>
      happened([
        [created, "s-a adăugat", "s-au adăugat"],
        [changed, "s-a modificat", "s-au modificat"],
        [same, "a rămas la fel", "au rămas la fel"],
        [skipped, "s-a omis", "s-au omis"],
      ]),
    undone: (deleted: number, restored: number, kept: number) =>
      happened([
        [deleted, "s-a șters", "s-au șters"],
        [restored, "a revenit la valorile de dinainte", "au revenit la valorile de dinainte"],
        [kept, "a rămas cum este", "au rămas cum sunt"],
      ]),
    nothingDone: "Nu s-a scris nimic.",
    writtenTitle: "Ce s-a scris",
    wasCreated: "adăugat",
    wasChanged: "modificat",
  },
} satisfies InLanguages<object>;

/** The outcomes of rows in Romanian, such as `S-au adăugat 3, s-a modificat 1`. */
function happened(parts: readonly (readonly [count: number, one: string, several: string])[]): string {
  const said = parts
    .filter(([count]) => count > 0)
    .map(([count, one, several]) => `${count === 1 ? one : several} ${wholeNumber("ro", count)}`)
    .join(", ");
  return said.charAt(0).toUpperCase() + said.slice(1);
}
