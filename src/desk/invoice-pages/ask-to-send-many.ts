import type { Deps } from "../../kit/deps.ts";
import { asking } from "../../kit/web/asking.ts";
import type { Area } from "../../kit/web/frame/layout.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { counted, type InLanguages, type Plural } from "../../kit/web/language.ts";
import { notice } from "../../kit/web/notice.ts";
import type { PageAnswer, PageRequest } from "../../kit/web/page.ts";
import { LATE_DAYS } from "../../orders/invoices/credit-queries.ts";
import { idsWithOtherTotal } from "../../orders/invoices/other-total-queries.ts";
import { countDebtors, listSendable } from "../../orders/wms/sending/doubts-queries.ts";
import { queueInvoices } from "../../orders/wms/sending/sending-queries.ts";
import { dayAfter } from "../../platform/dates.ts";
import { ANYWAY } from "./ask-to-send.ts";
import { invoicePageWords } from "./invoice-page-words.ts";

/** Invoices that one statement reads or queues. */
const AT_ONCE = 500;

/** The form that was posted. `back`: the address to return to. `fields`: its hidden fields, for the question. */
type Posted = { area: Area; action: string; back: string; fields: Html };

/** Queues invoices. If something speaks against some of them, a page says so in numbers first. */
export async function sendMany(
  deps: Deps,
  request: PageRequest,
  ids: readonly string[],
  { area, action, back, fields }: Posted,
): Promise<PageAnswer> {
  const { actor, form, language } = request;
  const isReachable = deps.warehouse !== null;
  if (isReachable && !form.has(ANYWAY)) {
    const { count, doubts } = await doubtsAboutMany(deps, request, ids);
    const { sendAnyway, notYet } = invoicePageWords[language];
    if (doubts.length > 0) {
      return asking(language, {
        title: words[language].title(count),
        area,
        consequences: doubts,
        fields,
        action,
        value: { name: ANYWAY, value: "1" },
        seen: { name: "to", value: back },
        submit: sendAnyway,
        back,
        keep: notYet,
      });
    }
  }
  let queued = 0;
  const sent = isReachable ? ids : [];
  for (let at = 0; at < sent.length; at += AT_ONCE) {
    queued += (await queueInvoices(actor.tenant, deps.database, sent.slice(at, at + AT_ONCE))).length;
  }
  return {
    to: back,
    notice: notice("invoices-queued", { queued: String(queued), skipped: String(ids.length - queued) }),
  };
}

/** The hidden fields of a selection in a list. */
export function selectionFields({ form }: PageRequest): Html {
  const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`;
  return html`${["id", "all", "rows", "matching"].flatMap((name) => form.all(name).map((value) => hidden(name, value)))}`;
}

async function doubtsAboutMany(
  { database }: Deps,
  { actor: { tenant }, session, language }: PageRequest,
  ids: readonly string[],
) {
  const sendable = [];
  let otherTotal = 0;
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = await listSendable(tenant, database, ids.slice(at, at + AT_ONCE));
    sendable.push(...some);
    if (some.length > 0)
      otherTotal += (
        await idsWithOtherTotal(
          tenant,
          database,
          some.map(({ id }) => id),
        )
      ).size;
  }
  const today = dayAfter(0, session.workspace.timeZone);
  const { late, overLimit } = await countDebtors(
    tenant,
    database,
    sendable.map(({ id }) => id),
    today,
  );
  const found = {
    otherTotal,
    noStreet: sendable.filter(({ hasNoStreet }) => hasNoStreet).length,
    noSku: sendable.filter(({ lacksSku }) => lacksSku).length,
    late,
    overLimit,
  };
  const doubts = (Object.keys(found) as (keyof typeof found)[]).flatMap((name) =>
    found[name] === 0 ? [] : [counted(language, found[name], words[language].doubts[name])],
  );
  return { count: sendable.length, doubts };
}

type Doubts = Record<"otherTotal" | "noStreet" | "noSku" | "late" | "overLimit", Plural>;

const words = {
  en: {
    title: (count: number) => `Send ${counted("en", count, { one: "invoice", other: "invoices" })}?`,
    doubts: {
      otherTotal: {
        one: "invoice has another total than its lines.",
        other: "invoices have another total than their lines.",
      },
      noStreet: {
        one: "invoice has no street: the warehouse gets only the city.",
        other: "invoices have no street: the warehouse gets only the city.",
      },
      noSku: {
        one: "invoice has lines without a SKU: the warehouse gets only their descriptions.",
        other: "invoices have lines without a SKU: the warehouse gets only their descriptions.",
      },
      late: {
        one: `company is more than ${LATE_DAYS} days late with a payment.`,
        other: `companies are more than ${LATE_DAYS} days late with a payment.`,
      },
      overLimit: {
        one: "company owes more than its credit limit with these invoices.",
        other: "companies owe more than their credit limit with these invoices.",
      },
    } satisfies Doubts,
  },
  ro: {
    title: (count: number) =>
      `Trimiteți ${counted("ro", count, { one: "factură", few: "facturi", other: "de facturi" })}?`,
    doubts: {
      otherTotal: {
        one: "factură are alt total decât pozițiile ei.",
        few: "facturi au alt total decât pozițiile lor.",
        other: "de facturi au alt total decât pozițiile lor.",
      },
      noStreet: {
        one: "factură nu are stradă: depozitul primește doar localitatea.",
        few: "facturi nu au stradă: depozitul primește doar localitatea.",
        other: "de facturi nu au stradă: depozitul primește doar localitatea.",
      },
      noSku: {
        one: "factură are poziții fără cod de produs: depozitul primește doar descrierile lor.",
        few: "facturi au poziții fără cod de produs: depozitul primește doar descrierile lor.",
        other: "de facturi au poziții fără cod de produs: depozitul primește doar descrierile lor.",
      },
      late: {
        one: `firmă are o întârziere la plată de peste ${LATE_DAYS} de zile.`,
        few: `firme au întârzieri la plată de peste ${LATE_DAYS} de zile.`,
        other: `de firme au întârzieri la plată de peste ${LATE_DAYS} de zile.`,
      },
      overLimit: {
        one: "firmă datorează, cu aceste facturi, mai mult decât limita ei de credit.",
        few: "firme datorează, cu aceste facturi, mai mult decât limita lor de credit.",
        other: "de firme datorează, cu aceste facturi, mai mult decât limita lor de credit.",
      },
    } satisfies Doubts,
  },
} satisfies InLanguages<object>;
