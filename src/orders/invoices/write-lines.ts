import type { Actor } from "../../kit/actor.ts";
import { draftOf } from "../../platform/fields/draft.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { listItems, storedList, withoutAbsent, type ListItem } from "../../platform/fields/list-items.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import type { Run } from "../../platform/postgres/database.ts";
import type { Selected } from "../../platform/postgres/statement.ts";
import { invoiceWrites } from "./invoice-bulk-queries.ts";
import { importedLine, lineFields, LINES_MAX, lineName } from "./invoice.ts";
import { lockInvoicesByNumber, type lockedInvoice } from "./line-bulk-queries.ts";

export type LineWritten =
  | { outcome: "created" }
  | { outcome: "updated" | "unchanged" }
  | { outcome: "invalid"; messages: FieldErrors }
  /** The warehouse may have the invoice, or it already has the maximum number of lines. */
  | { outcome: "sent" | "full" }
  /** The price is in another currency than the invoice. */
  | { outcome: "currency"; amount: string; invoice: string };

/** The outcome of each line, and the changed invoices as they were before, with their new versions. */
export type LinesWritten = { outcomes: LineWritten[]; written: ChangedInvoice[] };

type ChangedInvoice = {
  id: string;
  version: string;
  stored: { version: string; columns: { currency: string | null; lines: string | null } };
};

const LINES = ["lines"];
const WRITTEN = ["currency", ...LINES];
/** Invoices whose lines are in memory at the same time. */
const INVOICES_AT_ONCE = 50;

/**
 * Writes lines, each identified by its invoice's number and its position. An existing line is changed like by PUT, any
 * other is added. The `currency` of an input is that of its price. The invoices are locked, and each is updated once.
 * Throws TooMuchStored.
 */
export async function writeLines(run: Run, actor: Actor, inputs: readonly Input[]): Promise<LinesWritten> {
  const outcomes: LineWritten[] = [];
  const written: ChangedInvoice[] = [];
  const named = inputs.map((input, index) => ({ index, input, name: draftOf(lineName, input, "create").values }));
  const byInvoice = [...Map.groupBy(named, ({ name }) => name.invoice_number ?? null)];
  for (let at = 0; at < byInvoice.length; at += INVOICES_AT_ONCE) {
    const some = byInvoice.slice(at, at + INVOICES_AT_ONCE);
    const invoices = await lockInvoices(
      run,
      some.flatMap(([number]) => (typeof number === "string" ? number : [])),
    );
    for (const [number, lines] of some) {
      const invoice = invoices.get(String(number));
      for (const { index, input, name } of lines) outcomes[index] = writeLine(invoice, input, Number(name.position));
    }
    written.push(...(await writeChanged(run, actor, [...invoices.values()])));
  }
  return { outcomes, written };
}

type Invoice = Selected<typeof lockedInvoice> & { stored: string | null; lines: Map<number, ListItem> } & {
  /** The currency of its prices: its own, or the one that a file has in their cells. */
  pricedIn: string | null;
};

async function lockInvoices(run: Run, numbers: string[]): Promise<Map<string, Invoice>> {
  const locked = numbers.length === 0 ? [] : await lockInvoicesByNumber(run, numbers);
  const ids = locked.map(({ id }) => id);
  const lines = await invoiceWrites.stored(LINES)(run, ids);
  return new Map(
    locked.map((invoice) => {
      const stored = lines.get(invoice.id)?.columns.lines ?? null;
      const byPosition = new Map(listItems(stored).map((line) => [line.position, line]));
      return [invoice.number, { ...invoice, stored, lines: byPosition, pricedIn: invoice.currency }];
    }),
  );
}

/** Changes the invoice's lines in memory. */
function writeLine(invoice: Invoice | undefined, input: Input, position: number): LineWritten {
  const before = invoice?.lines.get(position);
  const { values, messages } = draftOf(importedLine, input, before === undefined ? "create" : "update");
  if (invoice === undefined || messages !== null) {
    const isUnknown = invoice === undefined && messages?.invoice_number === undefined;
    const unknown: FieldErrors = isUnknown ? { invoice_number: [{ code: "notSelectable" }] } : {};
    return { outcome: "invalid", messages: { ...unknown, ...messages } };
  }
  const { invoice_number: _number, ...fields } = values;
  const line: ListItem = withoutAbsent(lineFields, { ...before, ...fields, position });
  const { currency } = input;
  if (typeof currency === "string" && invoice.pricedIn !== null && invoice.pricedIn !== currency) {
    return { outcome: "currency", amount: currency, invoice: invoice.pricedIn };
  }
  const pricedIn = typeof currency === "string" ? currency : invoice.pricedIn;
  const isChanged = pricedIn !== invoice.pricedIn || JSON.stringify(line) !== JSON.stringify(before);
  if (isChanged && invoice.hasLockedColumns) return { outcome: "sent" };
  if (before === undefined && invoice.lines.size >= LINES_MAX) return { outcome: "full" };
  invoice.lines.set(position, line);
  invoice.pricedIn = pricedIn;
  return { outcome: before === undefined ? "created" : isChanged ? "updated" : "unchanged" };
}

async function writeChanged(run: Run, actor: Actor, invoices: readonly Invoice[]): Promise<ChangedInvoice[]> {
  const changed = new Map(
    invoices.flatMap((invoice) => {
      const lines = storedList([...invoice.lines.values()].toSorted((a, b) => a.position - b.position));
      return lines === invoice.stored && invoice.pricedIn === invoice.currency
        ? []
        : [[invoice.id, { invoice, lines }] as const];
    }),
  );
  if (changed.size === 0) return [];
  const entries = [...changed].map(([id, { lines, invoice }]) => {
    return { id, lines, currency: invoice.pricedIn, changed_by: changedBy(actor) };
  });
  const rows = await invoiceWrites.update(WRITTEN)(run, JSON.stringify(entries));
  return rows.flatMap(({ id, version }) => {
    const before = changed.get(id)?.invoice;
    if (before === undefined) return [];
    const stored = { version: before.version, columns: { currency: before.currency, lines: before.stored } };
    return [{ id: before.id, version, stored }];
  });
}
