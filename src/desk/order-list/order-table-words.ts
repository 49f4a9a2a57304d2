import type { ListWords } from "../../kit/tables/list.ts";
import type { InLanguages, Language } from "../../kit/web/language.ts";
import { orderListWords } from "../../orders/wms/pages/order-list-words.ts";
import { wayWords } from "../../orders/wms/pages/way-words.ts";

/** The list's title, columns and filters. */
export const orderTableWords: InLanguages<ListWords> = { en: tableWordsOf("en"), ro: tableWordsOf("ro") };

function tableWordsOf(language: Language): ListWords {
  const [words, { number, issued, total, due }] = [orderListWords[language], wayWords[language]];
  const { company, currency, sku, paid, order, lastNews, state, owner, instance, orderNumber, missing } = words;
  return {
    title: words.title,
    search: words.searchHint,
    labels: {
      name: number,
      company,
      currency,
      sku,
      issued_on: issued,
      total,
      paid,
      order,
      due_on: due,
      wms_order_number: orderNumber,
      wms_instance: instance,
      synced_at: lastNews,
      state,
      assigned_to: owner,
      days: issued,
      from: issued,
      to: issued,
      late: words.late_by,
      instance,
      missing,
    },
    sorts: {},
  };
}
