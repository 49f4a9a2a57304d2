import type { Actor } from "../../kit/actor.ts";
import type { Deps } from "../../kit/deps.ts";
import { externalHolder, findingExternalHolders, EXTERNAL_INDEX } from "../../kit/external-ids/external-id-queries.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import { plainDecimal } from "../../platform/fields/custom.ts";
import { draftOf, storable, type Draft } from "../../platform/fields/draft.ts";
import { EXTERNAL, externalIdsOf, externalName } from "../../platform/fields/external-ids.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { textOrNull, type Values } from "../../platform/fields/validation.ts";
import type { Run } from "../../platform/postgres/database.ts";
import { isUniqueViolation } from "../../platform/postgres/failures.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { paymentRow } from "./payment-json.ts";
import { insertPayments, lockPayable, drawPaymentIds, findPayments, type Payable } from "./payment-queries.ts";
import { INVOICE_ID, INVOICE_NUMBER, namedPayment, payment } from "./payment.ts";

/** The outcome of recording a payment; `row` is in the format of paymentJson. */
export type PaymentWritten =
  | { outcome: "created" | "unchanged"; row: Row }
  | { outcome: "invalid"; messages: FieldErrors }
  /** There is no such invoice. */
  | { outcome: "missing"; named: string }
  /** A draft takes no payment, a cancelled invoice only a refund. */
  | { outcome: "draft" | "cancelled" }
  /** Another payment has its external id. */
  | { outcome: "taken"; holder: { type: string; id: number; source: string; external_id: string } };

/** `currency`: the file has the amount in another currency than the invoice. */
export type RowPaymentWritten = PaymentWritten | { outcome: "currency"; amount: string; invoice: string };

/** Attempts of a write that lost an external id to a concurrent one: the next attempt finds the other payment. */
const MAX_ATTEMPTS = 3;

/** Records a payment of an invoice. */
export async function createPayment(
  { database, keyring }: Pick<Deps, "database" | "keyring">,
  actor: Actor,
  invoiceId: string,
  input: Input,
): Promise<PaymentWritten> {
  const named = { ...input, [INVOICE_ID]: invoiceId, [INVOICE_NUMBER]: null };
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction(actor.tenant, async (run) => {
        const [written] = await recordPayments(run, { actor, keyring }, [named]);
        return written as PaymentWritten;
      });
    } catch (error) {
      if (!isUniqueViolation(error, EXTERNAL_INDEX) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/**
 * Records payments within a transaction, in their order. A payment is never changed: one with a known external id is
 * unchanged if the stored one has all values of the input, and otherwise refused.
 * @param saysCurrency whether the `currency` of an input is that of its amount
 */
export async function recordPayments(
  run: Run,
  { actor, keyring }: { actor: Actor; keyring: Deps["keyring"] },
  inputs: readonly Input[],
  saysCurrency = false,
): Promise<RowPaymentWritten[]> {
  const all = inputs.map((input): PaymentDraft => {
    const { currency } = input;
    const said = saysCurrency && typeof currency === "string" ? currency : null;
    return Object.assign(draftOf(namedPayment, input, "create"), { currency: said });
  });
  const outcomes: RowPaymentWritten[] = [];
  for (const drafts of withoutSharedIds(all)) outcomes.push(...(await record(run, { actor, keyring }, drafts)));
  return outcomes;
}

type PaymentDraft = Draft & { currency: string | null };

/** Parts of which none has an external id twice: the second draft finds the payment of the first. */
function withoutSharedIds(drafts: readonly PaymentDraft[]): PaymentDraft[][] {
  const parts: PaymentDraft[][] = [];
  let seen = new Set<string>();
  for (const draft of drafts) {
    const names = externalIdsOf(textOrNull(draft.values[EXTERNAL])).map(externalName);
    if (parts.length === 0 || names.some((name) => seen.has(name))) {
      parts.push([]);
      seen = new Set();
    }
    parts.at(-1)?.push(draft);
    for (const name of names) seen.add(name);
  }
  return parts;
}

async function record(
  run: Run,
  { actor, keyring }: { actor: Actor; keyring: Deps["keyring"] },
  drafts: readonly PaymentDraft[],
): Promise<RowPaymentWritten[]> {
  const invoices = await lockInvoices(run, drafts);
  const secrets = { keyring, tenant: actor.tenant };
  const known = await knownPayments(run, drafts, secrets);
  const { today, ids } = await drawPaymentIds(run, drafts.length);
  const decided = drafts.map((draft, index) => {
    const invoice = invoices(draft);
    const { [INVOICE_ID]: named, [INVOICE_NUMBER]: number, ...values } = draft.values;
    if (draft.messages !== null) return { outcome: "invalid", messages: draft.messages } as const;
    if (invoice === undefined) return { outcome: "missing", named: String(named ?? number) } as const;
    if (named != null && number != null && invoice.number !== number) return otherInvoice;
    const unwritten = known(values, invoice) ?? refusal(draft, invoice);
    if (unwritten !== null) return unwritten;
    const stored = storable(payment, { ...draft, values: withoutNullDay(values) }, secrets, actor);
    const own = { id: ids[index] ?? null, invoice_id: invoice.id, company_id: invoice.companyId };
    return { outcome: "new", entry: { paid_on: today, ...stored, ...own } } as const;
  });
  const entries = decided.flatMap((each) => (each.outcome === "new" ? [each.entry] : []));
  const rows = entries.length === 0 ? [] : await insertPayments(run, JSON.stringify(entries));
  let next = 0;
  return decided.map((each) => (each.outcome === "new" ? { outcome: "created", row: rows[next++] ?? [] } : each));
}

/** The outcome of an input whose id and number name two invoices. */
const otherInvoice: PaymentWritten = {
  outcome: "invalid",
  messages: { [INVOICE_NUMBER]: [{ code: "notSelectable" }] },
};

/** Why an invoice takes no such payment; null if it does. */
function refusal({ values, currency }: PaymentDraft, { status, currency: own }: Payable): RowPaymentWritten | null {
  if (status === "draft") return { outcome: "draft" };
  if (status === "cancelled" && Number(values.amount) > 0) return { outcome: "cancelled" };
  if (currency === null || own === null || currency === own.toUpperCase()) return null;
  return { outcome: "currency", amount: currency, invoice: own };
}

/**
 * Locks invoices, and returns the input of the payment that pays the rest of each; null for a paid one. Payments of
 * drafts and of cancelled invoices are refused when they are recorded.
 */
export async function paymentsInFull(run: Run, ids: readonly string[]): Promise<(id: string) => Input | null> {
  const invoices = await lockPayable(run, ids, []);
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  return (id) => {
    const { status, left = null } = byId.get(id) ?? {};
    const isNothingLeft = left !== null && Number(left) === 0;
    const isPaid = (status === "issued" && isNothingLeft) || (status === "paid" && left !== null);
    return isPaid ? null : { [INVOICE_ID]: id, amount: isNothingLeft ? null : left };
  };
}

function withoutNullDay({ paid_on: day, ...values }: Values): Values {
  return day == null ? values : { ...values, paid_on: day };
}

/** The locked invoices by what a draft names. */
async function lockInvoices(run: Run, drafts: readonly Draft[]): Promise<(draft: Draft) => Payable | undefined> {
  const named = (name: string) => drafts.flatMap(({ values }) => textOrNull(values[name]) ?? []);
  const invoices = await lockPayable(run, [...new Set(named(INVOICE_ID))], [...new Set(named(INVOICE_NUMBER))]);
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  const byNumber = new Map(invoices.map((invoice) => [invoice.number, invoice]));
  return ({ values }) => {
    const id = textOrNull(values[INVOICE_ID]);
    return id === null ? byNumber.get(textOrNull(values[INVOICE_NUMBER]) ?? "") : byId.get(id);
  };
}

type Known = (values: Values, invoice: Payable) => PaymentWritten | null;

/** The payments that have the drafts' external ids. */
async function knownPayments(run: Run, drafts: readonly Draft[], secrets: Secrets): Promise<Known> {
  const asked = drafts.flatMap(({ values }) => externalIdsOf(textOrNull(values[EXTERNAL])));
  if (asked.length === 0) return () => null;
  const holders = (await run(findingExternalHolders(payment.external ?? "", asked))).map(externalHolder.read);
  const rows = await findPayments(
    run,
    holders.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [String(row[0]), row]));
  const byName = new Map(
    holders.map((holder) => [externalName({ source: holder.source, externalId: holder.external_id }), holder]),
  );
  return (values, invoice) => {
    const own = externalIdsOf(textOrNull(values[EXTERNAL])).map((each) => byName.get(externalName(each)));
    const holder = own.find((each) => each !== undefined);
    const row = byId.get(String(holder?.id));
    if (holder === undefined || row === undefined) return null;
    const before = paymentRow(row, secrets);
    const isSame =
      before.invoice_id === invoice.id &&
      own.every((each) => each?.id === holder.id) &&
      payment.fields.every(({ name, kind }) => {
        const [stored, sent] = [String(before[name]), textOrNull(values[name])];
        return sent === null || sent === stored || (kind === "decimal" && plainDecimal(sent) === plainDecimal(stored));
      });
    return isSame ? { outcome: "unchanged", row } : { outcome: "taken", holder };
  };
}
