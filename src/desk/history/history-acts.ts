import { differencesIn, type Difference } from "../../kit/changes/differences.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { amount, counted, dayOf, type InLanguages } from "../../kit/web/language.ts";
import { orderStatusWord } from "../../orders/invoices/order-words.ts";
import { callAct, type ActContext } from "./call-acts.ts";
import type { HistoryChange } from "./history-queries.ts";

/**
 * The sentence of a change that is an act with a name: sending an order, accepting one, connecting a warehouse. Null
 * for any other change.
 */
export function actIn(change: HistoryChange, context: ActContext): Html | null {
  const differences = differencesIn(change.changed);
  if (change.type === "invitation") return invitationAct(change, new Map(byField(differences)), context);
  if (change.type === "payment") return paymentAct(change, context);
  if (change.type === "company" || change.type === "contact")
    return mergeAct(change, new Map(byField(differences)), context);
  if (change.type === "planned_call") return callAct(change, new Map(byField(differences)), context);
  if (change.action !== "updated") return null;
  if (differences.length === 0) return null;
  const isOfConnection = change.type === "workspace" && differences.every(({ field }) => OF_CONNECTION.has(field));
  if (change.type === "workspace" && differences.some(({ field }) => field === "exported"))
    return exportAct(new Map(byField(differences)), context);
  if (change.type === "connection" || isOfConnection)
    return connectionAct(change, new Map(byField(differences)), context);
  return change.type === "invoice" ? invoiceAct(change, differences, context) : null;
}

/** The fields of an order; a change of others too is no act. */
const OF_ORDER = new Set([
  "wms_instance",
  "wms_order_id",
  "wms_order_number",
  "wms_status",
  "wms_gone_at",
  "wms_settled_at",
  "wms_put_off_until",
]);

/** The fields of the workspace's connection; its settings have others. */
const OF_CONNECTION = new Set(["wms_subdomain", "wms_key_set_at", "wms_send_automatically"]);

function invoiceAct(change: HistoryChange, differences: readonly Difference[], context: ActContext): Html | null {
  const { who, resource, language, timeZone } = context;
  const words = actWords[language];
  const fields = new Map(byField(differences));
  if (fields.size === 1 && fields.has("status")) return statusAct(fields.get("status"), context);
  if (!differences.every(({ field }) => OF_ORDER.has(field))) return null;
  const [order, number, status] = ["wms_order_id", "wms_order_number", "wms_status"].map((name) => fields.get(name));
  const text = (value: unknown) => (typeof value === "number" || typeof value === "string" ? String(value) : null);
  const after = text(number?.to) ?? text(order?.to);
  const before = text(number?.from) ?? text(order?.from);
  const called = after ?? change.orderNumber ?? "";
  const instance = text(fields.get("wms_instance")?.to);
  if (order !== undefined && order.to === null) {
    // Only a link without an instance is renounced.
    const ended = fields.has("wms_instance") ? words.putAside : words.renounced;
    return ended(who, before ?? "", resource);
  }
  if (order !== undefined && instance !== null) {
    const isSent = change.changedBy === "worker";
    return isSent ? words.sent(instance, called, resource) : words.linked(who, instance, called, resource);
  }
  if (text(fields.get("wms_settled_at")?.to) !== null) {
    if (called === "") return words.acceptedRefusal(who, resource);
    return words.accepted(who, words.troubled[change.orderTrouble ?? "none"](called), resource);
  }
  const until = fields.get("wms_put_off_until");
  if (until !== undefined && fields.size === 1) {
    const day = text(until.to);
    return day === null ? words.resumed(who, resource) : words.putOff(who, resource, dayOf(language, day, timeZone));
  }
  const gone = fields.get("wms_gone_at");
  if (gone !== undefined) return gone.to === null ? words.found(called, resource) : words.missing(called, resource);
  if (status === undefined || text(status.to) === null) return null;
  const [was, becomes] = [status.from, status.to].map((each) => orderStatusWord(text(each) ?? "", language));
  return status.from === null
    ? words.became(called, resource, becomes ?? "")
    : words.moved(called, resource, was ?? "", becomes ?? "");
}

/** An invoice's own status. */
function statusAct(difference: Difference | undefined, { who, resource, language }: ActContext): Html | null {
  const words = actWords[language].statuses;
  const [from, to] = [String(difference?.from), String(difference?.to)];
  if (to === "cancelled") return words.cancelled(who, resource);
  if (from === "cancelled") return words.reopened(who, resource);
  if (to === "paid") return words.paid(who, resource);
  if (from === "paid") return words.notPaid(who, resource);
  return to === "issued" ? words.issued(who, resource) : null;
}

/** Null for a payment that no longer exists. */
function paymentAct({ action, amount: paid, currency }: HistoryChange, context: ActContext): Html | null {
  const { who, resource, language } = context;
  if (paid === null) return null;
  const words = actWords[language].payments;
  const isRefund = paid.startsWith("-");
  const shown = amount(language, isRefund ? paid.slice(1) : paid, currency) ?? "";
  if (action === "deleted") return words.deleted(who, shown, resource);
  if (action === "updated") return words.moved(who, shown, resource);
  return isRefund ? words.refunded(who, shown, resource) : words.recorded(who, shown, resource);
}

/** An accepted invitation, or a link for a new password, made or used: that is an invitation of a user. */
function invitationAct(
  change: HistoryChange,
  fields: ReadonlyMap<string, Difference>,
  context: ActContext,
): Html | null {
  const { who, resource, language } = context;
  const words = actWords[language].passwordLinks;
  if ((fields.get("for_user")?.to ?? null) !== null) return words.made(who, resource);
  if (!fields.has("accepted")) return null;
  return (change.changedBy ?? "").startsWith("user:") ? words.used(who) : words.accepted(resource);
}

/** A merge or its undo, in the history of both. */
function mergeAct(
  { action }: HistoryChange,
  fields: ReadonlyMap<string, Difference>,
  { who, resource, language }: ActContext,
): Html | null {
  const words = actWords[language].merges;
  if (action === "merged") return words.mergedAway(who, resource);
  const refused = fields.get("not_alike");
  if (refused !== undefined) {
    const { name } = (refused.to ?? refused.from) as { name: string };
    return refused.to === null ? words.alikeAgain(who, name, resource) : words.notAlike(who, name, resource);
  }
  const merged = fields.get("merged");
  if (merged === undefined) return null;
  const { name, merge } = (merged.to ?? merged.from) as { name: string; merge: number };
  return merged.to === null
    ? words.undone(who, name, resource)
    : html`${words.merged(who, name, resource)} <a href="/merges/${merge}/undo">${words.undo}</a>`;
}

function exportAct(fields: ReadonlyMap<string, Difference>, { who, language }: ActContext): Html {
  return actWords[language].exported(who, Number(fields.get("rows")?.to), String(fields.get("exported")?.to));
}

function connectionAct(
  change: HistoryChange,
  fields: ReadonlyMap<string, Difference>,
  context: ActContext,
): Html | null {
  const { who, resource, language } = context;
  const words = actWords[language].connections;
  const key = fields.get("wms_key_set_at");
  const automatic = fields.get("wms_send_automatically");
  const never = fields.get("wms_never");
  if (String(never?.to) === "true") return words.neverSent(who, resource);
  if (key === undefined) {
    if (never !== undefined && fields.size === 1) return words.sentAgain(who, resource);
    if (automatic === undefined || fields.size > 1) return null;
    return String(automatic.to) === "true" ? words.switchedOn(who, resource) : words.switchedOff(who, resource);
  }
  if (key.to === null) return words.removed(who, resource);
  const { from, to = change.subdomain } = (fields.get("wms_subdomain") ?? {}) as { from?: string; to?: string };
  const saved = key.from === null ? words.connected : words.rekeyed;
  const sentence = typeof from === "string" ? words.moved(who, resource, from, String(to)) : saved(who, resource, to);
  return String(automatic?.to) === "true" ? html`${sentence}${words.automatically}` : sentence;
}

function byField(differences: readonly Difference[]): [string, Difference][] {
  return differences.map((each) => [each.field, each]);
}

const actWords = {
  en: {
    sent: (instance: string, order: string, invoice: Html) => html`Sent to ${instance}: order ${order} of ${invoice}`,
    linked: (who: Html, instance: string, order: string, invoice: Html) =>
      html`${who} linked the order ${order} of ${instance} to ${invoice}`,
    putAside: (who: Html, order: string, invoice: Html) =>
      html`${who} put the order ${order} aside, to send ${invoice} again`,
    renounced: (who: Html, order: string, invoice: Html) =>
      html`${who} removed the link of ${invoice} with ${order}, which is not a warehouse order`,
    accepted: (who: Html, order: string, invoice: Html) => html`${who} accepted ${order} of ${invoice}`,
    acceptedRefusal: (who: Html, invoice: Html) => html`${who} accepted that the warehouse refused ${invoice}`,
    putOff: (who: Html, invoice: Html, day: string) => html`${who} put ${invoice} off until ${day}`,
    resumed: (who: Html, invoice: Html) => html`${who} no longer puts ${invoice} off`,
    troubled: {
      missing: (order: string) => `the missing order ${order}`,
      cancelled: (order: string) => `the cancelled order ${order}`,
      none: (order: string) => `the order ${order}`,
    },
    missing: (order: string, invoice: Html) => html`The order ${order} of ${invoice} is missing in the warehouse`,
    found: (order: string, invoice: Html) => html`The order ${order} of ${invoice} is in the warehouse again`,
    moved: (order: string, invoice: Html, from: string, to: string) =>
      html`The order ${order} of ${invoice} went from ${from} to ${to}`,
    became: (order: string, invoice: Html, to: string) => html`The order ${order} of ${invoice} is ${to}`,
    exported: (who: Html, rows: number, file: string) =>
      html`${who} exported ${counted("en", rows, { one: "row", other: "rows" })} (${file})`,
    statuses: {
      issued: (who: Html, invoice: Html) => html`${who} issued ${invoice}`,
      paid: (who: Html, invoice: Html) => html`${who} marked ${invoice} as paid`,
      notPaid: (who: Html, invoice: Html) => html`${who} marked ${invoice} as not paid`,
      cancelled: (who: Html, invoice: Html) => html`${who} cancelled ${invoice}`,
      reopened: (who: Html, invoice: Html) => html`${who} reopened ${invoice}`,
    },
    payments: {
      recorded: (who: Html, amount: string, invoice: Html) =>
        html`${who} recorded a payment of ${amount} for ${invoice}`,
      refunded: (who: Html, amount: string, invoice: Html) =>
        html`${who} recorded a refund of ${amount} for ${invoice}`,
      moved: (who: Html, amount: string, invoice: Html) =>
        html`${who} moved the payment of ${amount} for ${invoice} to another company`,
      deleted: (who: Html, amount: string, invoice: Html) =>
        html`${who} deleted the payment of ${amount} for ${invoice}`,
    },
    merges: {
      merged: (who: Html, other: string, company: Html) => html`${who} merged ${other} into ${company}`,
      mergedAway: (who: Html, company: Html) => html`${who} merged ${company} into another one`,
      undone: (who: Html, other: string, company: Html) => html`${who} took ${other} out of ${company} again`,
      notAlike: (who: Html, other: string, company: Html) => html`${who} said that ${company} is not ${other}`,
      alikeAgain: (who: Html, other: string, company: Html) => html`${who} said that ${company} may be ${other}`,
      undo: "Undo",
    },
    passwordLinks: {
      made: (who: Html, email: Html) => html`${who} created a link for a new password of ${email}`,
      used: (who: Html) => html`${who} chose a new password by a link`,
      accepted: (email: Html) => html`${email} accepted the invitation`,
    },
    connections: {
      connected: (who: Html, company: Html, to: string | null) =>
        html`${who} connected ${company} to ${to ?? "a warehouse"}`,
      rekeyed: (who: Html, company: Html, to: string | null) =>
        html`${who} saved a new key of ${company} for ${to ?? "the warehouse"}`,
      moved: (who: Html, workspace: Html, from: string, to: string) =>
        html`${who} moved the connection of ${workspace} from ${from} to ${to}`,
      neverSent: (who: Html, company: Html) => html`${who} set that invoices of ${company} are never sent`,
      sentAgain: (who: Html, company: Html) => html`${who} set that invoices of ${company} may be sent again`,
      removed: (who: Html, company: Html) => html`${who} disconnected ${company} from its warehouse`,
      switchedOn: (who: Html, company: Html) => html`${who} switched automatic sending of ${company} on`,
      switchedOff: (who: Html, company: Html) => html`${who} switched automatic sending of ${company} off`,
      automatically: ", with automatic sending",
    },
  },
  ro: {
    sent: (instance: string, order: string, invoice: Html) =>
      html`Trimisă la ${instance}: comanda ${order} pentru ${invoice}`,
    linked: (who: Html, instance: string, order: string, invoice: Html) =>
      html`${who} a legat comanda ${order} din ${instance} de ${invoice}`,
    putAside: (who: Html, order: string, invoice: Html) =>
      html`${who} a lăsat deoparte comanda ${order}, ca să trimită din nou ${invoice}`,
    renounced: (who: Html, order: string, invoice: Html) =>
      html`${who} a desfăcut legătura dintre ${invoice} și ${order}, care nu este o comandă din depozit`,
    accepted: (who: Html, order: string, invoice: Html) => html`${who} a acceptat ${order} pentru ${invoice}`,
    acceptedRefusal: (who: Html, invoice: Html) => html`${who} a acceptat că depozitul a refuzat ${invoice}`,
    putOff: (who: Html, invoice: Html, day: string) => html`${who} a amânat ${invoice} până la ${day}`,
    resumed: (who: Html, invoice: Html) => html`${who} a anulat amânarea pentru ${invoice}`,
    troubled: {
      missing: (order: string) => `comanda lipsă ${order}`,
      cancelled: (order: string) => `comanda anulată ${order}`,
      none: (order: string) => `comanda ${order}`,
    },
    missing: (order: string, invoice: Html) => html`Comanda ${order} pentru ${invoice} lipsește din depozit`,
    found: (order: string, invoice: Html) => html`Comanda ${order} pentru ${invoice} este din nou în depozit`,
    moved: (order: string, invoice: Html, from: string, to: string) =>
      html`Comanda ${order} pentru ${invoice} a trecut din „${from}” în „${to}”`,
    became: (order: string, invoice: Html, to: string) => html`Comanda ${order} pentru ${invoice} este în „${to}”`,
    exported: (who: Html, rows: number, file: string) =>
      html`${who} a exportat ${counted("ro", rows, { one: "rând", few: "rânduri", other: "de rânduri" })} (${file})`,
    statuses: {
      issued: (who: Html, invoice: Html) => html`${who} a emis ${invoice}`,
      paid: (who: Html, invoice: Html) => html`${who} a înregistrat încasarea integrală pentru ${invoice}`,
      notPaid: (who: Html, invoice: Html) => html`${who} a anulat încasarea pentru ${invoice}`,
      cancelled: (who: Html, invoice: Html) => html`${who} a anulat ${invoice}`,
      reopened: (who: Html, invoice: Html) => html`${who} a redeschis ${invoice}`,
    },
    payments: {
      recorded: (who: Html, amount: string, invoice: Html) =>
        html`${who} a înregistrat o încasare de ${amount} pentru ${invoice}`,
      refunded: (who: Html, amount: string, invoice: Html) =>
        html`${who} a înregistrat o restituire de ${amount} pentru ${invoice}`,
      moved: (who: Html, amount: string, invoice: Html) =>
        html`${who} a mutat la altă firmă încasarea de ${amount} pentru ${invoice}`,
      deleted: (who: Html, amount: string, invoice: Html) =>
        html`${who} a șters încasarea de ${amount} pentru ${invoice}`,
    },
    merges: {
      merged: (who: Html, other: string, company: Html) => html`${who} a contopit ${other} cu ${company}`,
      mergedAway: (who: Html, company: Html) => html`${who} a contopit ${company} cu alta`,
      undone: (who: Html, other: string, company: Html) => html`${who} a despărțit din nou ${other} de ${company}`,
      notAlike: (who: Html, other: string, company: Html) => html`${who} a stabilit că ${company} nu este ${other}`,
      alikeAgain: (who: Html, other: string, company: Html) => html`${who} a stabilit că ${company} poate fi ${other}`,
      undo: "Anulează contopirea",
    },
    passwordLinks: {
      made: (who: Html, email: Html) => html`${who} a făcut un link pentru o parolă nouă a contului ${email}`,
      used: (who: Html) => html`${who} și-a ales o parolă nouă printr-un link`,
      accepted: (email: Html) => html`${email} a acceptat invitația`,
    },
    connections: {
      connected: (who: Html, company: Html, to: string | null) =>
        html`${who} a conectat ${company} la ${to ?? "un depozit"}`,
      rekeyed: (who: Html, company: Html, to: string | null) =>
        html`${who} a salvat pentru ${company} o cheie nouă la ${to ?? "depozit"}`,
      moved: (who: Html, workspace: Html, from: string, to: string) =>
        html`${who} a mutat conexiunea pentru ${workspace} de la ${from} la ${to}`,
      neverSent: (who: Html, company: Html) => html`${who} a stabilit că nu se trimit facturi pentru ${company}`,
      sentAgain: (who: Html, company: Html) =>
        html`${who} a stabilit că se pot trimite din nou facturi pentru ${company}`,
      removed: (who: Html, company: Html) => html`${who} a deconectat ${company} de la depozit`,
      switchedOn: (who: Html, company: Html) => html`${who} a pornit trimiterea automată pentru ${company}`,
      switchedOff: (who: Html, company: Html) => html`${who} a oprit trimiterea automată pentru ${company}`,
      automatically: ", cu trimitere automată",
    },
  },
} satisfies InLanguages<object>;
