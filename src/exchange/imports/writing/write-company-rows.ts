import type { Run } from "../../../platform/postgres/database.ts";
import type { RowNote } from "../cells/read-cell.ts";
import { COMPANY_ID } from "../columns/company-columns.ts";
import { CONTACT_PERSON, personsIn } from "../columns/contact-person.ts";
import { isFamilyFirst } from "../columns/full-name.ts";
import type { BatchOutcome, ImportTarget, Kind, RowOutcome } from "../kind.ts";
import { nameOfColumn, plainColumn } from "../reading/header.ts";
import type { ImportRow } from "../reading/rows.ts";

/** Writes companies, and the contacts that the column `contact_person` of a page's file names. */
export function companyWriter(companies: Kind, contacts: Kind): Kind["write"] {
  return async (run, target, rows, locked) => {
    if (!target.header.columns.some(({ name }) => name === CONTACT_PERSON))
      return await companies.write(run, target, rows, locked);
    const outcome = await companies.write(run, target, rows);
    const all = await withPersons(run, target, contacts, rows, outcome);
    locked?.();
    return all;
  };
}

async function withPersons(
  run: Run,
  target: ImportTarget,
  contacts: Kind,
  rows: readonly ImportRow[],
  outcome: BatchOutcome,
): Promise<BatchOutcome> {
  const companyOf = new Map(outcome.rows.map(({ line, id }) => [line, id]));
  const notes = new Map(outcome.notes);
  const note = (line: number, text: string, why: RowNote["why"]) =>
    notes.set(line, [...(notes.get(line) ?? []), { field: CONTACT_PERSON, text, why }]);
  const isReversed = isFamilyFirst(nameOfColumn(target.header, CONTACT_PERSON));
  const named = rows.flatMap(({ line, input }) => {
    const company = companyOf.get(line) ?? null;
    const cell = input[CONTACT_PERSON];
    if (company === null || typeof cell !== "string") return [];
    const persons = personsIn(cell, isReversed);
    const isSomebody = persons.some(({ name }) => name !== null);
    return persons.flatMap(({ text, name }) => {
      if (name === null) note(line, text, isSomebody ? "several" : "unfit");
      return name === null ? [] : { line, company, text, name };
    });
  });
  // Each person has a line of its own here, by which its outcome is found.
  const written = await contacts.write(
    run,
    contactTarget(target, contacts),
    named.map(({ company, name }, line) => ({
      line,
      id: null,
      identity: null,
      input: { ...name, [COMPANY_ID]: Number(company) },
    })),
  );
  const persons = new Map<string, string[]>();
  const lines = new Set<number>();
  for (const { line: at } of written.rows) {
    const { line, company, text } = named[at] ?? { line: 0, company: "", text: "" };
    persons.getOrInsert(company, []).push(text);
    lines.add(line);
    note(line, text, "person");
  }
  const changed = ({ line, outcome: what, id }: RowOutcome): RowOutcome => {
    return { line, id, outcome: what === "unchanged" && lines.has(line) ? "updated" : what };
  };
  return {
    rows: outcome.rows.map(changed),
    rejected: outcome.rejected,
    written: [...outcome.written, ...written.written.map((row) => Object.assign(row, { isPerson: true }))],
    notes: new Map([...notes].toSorted(([a], [b]) => a - b)),
    persons,
  };
}

/** Contacts that the company has already are left alone. */
function contactTarget(target: ImportTarget, kind: Kind): ImportTarget {
  const columns = [
    plainColumn(-1, COMPANY_ID, "integer"),
    plainColumn(-1, "first_name", "string"),
    plainColumn(-1, "last_name", "string"),
  ];
  const header = { ...target.header, idIndex: null, isOwnExport: false, columns, namesCompany: true, moves: true };
  return { ...target, kind, header: { ...header, again: "skip" } };
}
