import type { InLanguages, Language } from "../../kit/web/language.ts";
import { sentenceOf, type Sentences } from "../../platform/reason.ts";

/**
 * The reason in `wms_error`: why an invoice waits, failed or cannot be sent, or a remark on its order. It contains no
 * keys, bodies or personal data.
 */
export type SendReason =
  | { code: "credentials" | "disconnected" | "unreachable" | "copied" | "unknown" | "gone" | "throttled" | "noOrders" }
  /** Why an order is not cancelled in its warehouse. */
  | { code: "notCancelled" | "withoutOrder" | "over" | "noCancelling" }
  | { code: "status"; status: string }
  | { code: "several"; ids: readonly number[] }
  /** `theirs`: the order's invoice, according to the warehouse. */
  | { code: "another"; orderId: number; theirs: InvoiceNames; ours: InvoiceNames }
  /** `number`: of the invoice that already has the order. */
  | { code: "held"; orderId: number; number: string }
  /** A remark on a linked order: warehouses may calculate taxes in another way. */
  | { code: "total"; theirs: string; ours: string }
  /**
   * A remark on an order that this database had lost: the invoice may have changed before it was sent. The totals, if
   * they differ.
   */
  | { code: "beforeLoss"; theirs?: string; ours?: string }
  /** `instances`: earlier warehouses of the company, for which this installation has no key. */
  | { code: "lostElsewhere"; instances: readonly string[] }
  | { code: "movedAway"; instance: string }
  /** `status`: of an answer 5xx. Pages show it. */
  | { code: "unsent" | "unanswered"; why: string; status?: number }
  | { code: "gaveUp"; after: SendReason }
  /** In the warehouse's own words. */
  | { code: "refused"; words: string };

/** The names of an invoice in an order. */
type InvoiceNames = { number: string | null; fiscalId: string | null };

const sentences: InLanguages<Sentences<SendReason>> = {
  en: {
    credentials: () => "The warehouse refused the credentials.",
    disconnected: () => "The company has no warehouse connection.",
    unreachable: () => "No warehouse can be reached from this installation.",
    copied: () => "It came with a backup of the workspace, and is not sent by itself.",
    unknown: () => "Nobody knows whether the last attempt reached the warehouse; its order is looked up first.",
    gone: () => "The warehouse no longer has this order.",
    throttled: () => "The warehouse asked us to retry later.",
    noOrders: () => "The warehouse's address takes no orders (404).",
    notCancelled: () => "The invoice is not cancelled.",
    withoutOrder: () => "The warehouse has no order of this invoice.",
    over: () => "The order has arrived at its last state, or the warehouse no longer has it.",
    noCancelling: () => "The warehouse’s program cannot cancel orders: call the warehouse.",
    status: ({ status }) => `The invoice is ${status === "draft" ? "a draft" : status}.`,
    several: ({ ids }) => `The warehouse has several orders of this invoice: ${ids.join(", ")}.`,
    another: ({ orderId, theirs, ours }) =>
      `The warehouse returned its order ${orderId}, which belongs to ${named.en(theirs)}, but this is ${named.en(ours)}: it was not linked. Correct the order there. If two installations share a source, set another LIAISON_WMS_SOURCE. Then send the invoice again.`,
    held: ({ orderId, number }) =>
      `The warehouse answered with its order ${orderId}, but the invoice ${number} has that order: it was not linked. Find out in the warehouse which of the two it is of, correct the other, and send the invoice again.`,
    total: ({ theirs, ours }) => `The order's total is ${theirs}, the invoice's is ${ours}.`,
    beforeLoss: ({ theirs, ours }) =>
      `The order was made before the loss, and the invoice is as the backup had it: check in the warehouse that lines and total are the same.${
        theirs === undefined ? "" : ` The order's total is ${theirs}, the invoice's is ${ours}.`
      }`,
    lostElsewhere: ({ instances }) =>
      `An order of this invoice may have been made before the loss at ${instances.join(", ")}, which the company is not connected with now. Look for the invoice's number there. If it has an order, connect the company with that warehouse again: the order is linked. If no order of the company is missing here, confirm that on the invoice's page: it is sent then.`,
    movedAway: ({ instance }) =>
      `An order may exist at ${instance}, which the company is not connected with any more. Connect it again to look there.`,
    unsent: ({ why }) => `The warehouse cannot be reached (${why}).`,
    unanswered: ({ why }) => `The warehouse gave no usable answer (${why}).`,
    gaveUp: ({ after }) => `Given up after 20 attempts. ${sendReasonIn("en", after)}`,
    refused: ({ words }) => `The warehouse says: “${words}”`,
  },
  ro: {
    credentials: () => "Depozitul a refuzat cheia.",
    disconnected: () => "Firma nu are o conexiune cu un depozit.",
    unreachable: () => "Din această instalare nu se poate ajunge la niciun depozit.",
    copied: () => "A venit cu o copie de rezervă a spațiului de lucru și nu se trimite singură.",
    unknown: () => "Nu se știe dacă ultima încercare a ajuns la depozit; comanda este căutată mai întâi.",
    gone: () => "Depozitul nu mai are această comandă.",
    throttled: () => "Depozitul cere o pauză.",
    noOrders: () => "La adresa depozitului nu se primesc comenzi (404).",
    notCancelled: () => "Factura nu este anulată.",
    withoutOrder: () => "Depozitul nu are nicio comandă pentru această factură.",
    over: () => "Comanda a ajuns la ultima ei stare sau depozitul nu o mai are.",
    noCancelling: () => "Programul depozitului nu poate anula comenzi: sunați la depozit.",
    status: ({ status }) => (status === "draft" ? "Factura este o ciornă." : "Factura este anulată."),
    several: ({ ids }) => `Depozitul are mai multe comenzi pentru această factură: ${ids.join(", ")}.`,
    another: ({ orderId, theirs, ours }) =>
      `Depozitul a răspuns cu comanda sa ${orderId}, a facturii ${named.ro(theirs)}, dar aceasta este ${named.ro(ours)}: nu a fost legată. Corectați comanda în depozit; sau, dacă altă instalare trimite acolo sub aceeași sursă, dați acesteia un LIAISON_WMS_SOURCE propriu. Apoi trimiteți factura din nou.`,
    held: ({ orderId, number }) =>
      `Depozitul a răspuns cu comanda sa ${orderId}, dar factura ${number} are acea comandă: nu a fost legată. Aflați în depozit a cui este, corectați-o pe cealaltă și trimiteți factura din nou.`,
    total: ({ theirs, ours }) => `Totalul comenzii este ${theirs}, al facturii ${ours}.`,
    beforeLoss: ({ theirs, ours }) =>
      `Comanda a fost făcută înainte de pierderea datelor, iar factura este ca în copia de rezervă: verificați în depozit că pozițiile și totalul sunt aceleași.${
        theirs === undefined ? "" : ` Totalul comenzii este ${theirs}, al facturii ${ours}.`
      }`,
    lostElsewhere: ({ instances }) =>
      `Este posibil ca înainte de pierderea datelor să fi fost făcută o comandă a acestei facturi la ${instances.join(", ")}, cu care firma nu este conectată acum. Căutați acolo numărul facturii. Dacă are o comandă, conectați firma din nou cu acel depozit: comanda este legată. Dacă aici nu lipsește nicio comandă a firmei, confirmați pe pagina facturii: apoi este trimisă.`,
    movedAway: ({ instance }) =>
      `Este posibil să existe o comandă la ${instance}, cu care firma nu mai este conectată. Conectați-o din nou ca să fie căutată acolo.`,
    unsent: ({ why }) => `Nu se poate ajunge la depozit (${why}).`,
    unanswered: ({ why }) => `Depozitul nu a dat un răspuns utilizabil (${why}).`,
    gaveUp: ({ after }) => `S-a renunțat după 20 de încercări. ${sendReasonIn("ro", after)}`,
    refused: ({ words }) => `Depozitul spune: „${words}”`,
  },
};

const named: InLanguages<(invoice: InvoiceNames) => string> = {
  en: ({ number, fiscalId }) => `${number ?? "an invoice"} (${fiscalId ?? "no fiscal id"})`,
  ro: ({ number, fiscalId }) => `${number ?? "fără număr"} (${fiscalId ?? "fără cod fiscal"})`,
};

/** A reason in a page's language. */
export function sendReasonIn(language: Language, reason: SendReason): string {
  return sentenceOf(sentences[language], reason);
}

/** A reason as the API and the commands print it. Of a refusal they print only the warehouse's words. */
export function sendSentence(reason: SendReason): string {
  return reason.code === "refused" ? reason.words : sendReasonIn("en", reason);
}

/** The beginning of every stored `lostElsewhere`, for SQL. */
export const LOST_ELSEWHERE = '{"code":"lostElsewhere",';

/**
 * A reason in the format of `wms_error`. SQL compares some as texts, so a reason begins with `code`, and its parameters
 * have the same order everywhere.
 */
export function storedReason(reason: SendReason): string {
  return JSON.stringify(reason);
}

/** The reason in a `wms_error`. A text that is no known reason, as of a newer release, is shown as it is. */
export function sendReasonOf(stored: string): SendReason {
  try {
    const reason = JSON.parse(stored) as SendReason;
    if (Object.hasOwn(sentences.en, reason.code)) return reason;
  } catch {
    // Not JSON: handled below.
  }
  return { code: "refused", words: stored };
}
