import {
  creating,
  deleted,
  deleting,
  ofCompany,
  pathOf,
  posting,
  recorded,
  single,
  type Filters,
  type PagesQuery,
} from "./nouns.ts";
import type * as schemas from "./schemas.generated.ts";
import {
  createTransport,
  type CallOptions,
  type ChangeOptions,
  type ClientOptions,
  type WriteOptions,
} from "./transport.ts";
import { byCursor, byNumber, cursorPages, feedPages, type FeedQuery } from "./walks.ts";

/** The types of a workspace's own fields, by noun: `{ company: { price_list: string } }`. */
export type FieldsByNoun = { company?: object; contact?: object; invoice?: object };

type Of<Fields extends FieldsByNoun, Noun extends keyof FieldsByNoun> =
  Fields extends Record<Noun, infer Custom> ? Custom : schemas.CustomFields;

/** A client of one tenant. Its calls return the `data` of the response, and throw `LiaisonError`. */
export type LiaisonClient<Fields extends FieldsByNoun = object> = ReturnType<typeof createClient<Fields>>;

/** Creates a client for the token's tenant. */
export function createClient<Fields extends FieldsByNoun = object>(options: ClientOptions) {
  const to = createTransport(options);
  return {
    /** The token's key, its tenant, and the version of the server. */
    me: {
      get: async (options?: CallOptions): Promise<schemas.Me> =>
        (await to.get<schemas.MeResponse>("/me", undefined, options)).data,
    },
    companies: {
      ...single<
        schemas.CompanyDetails<Of<Fields, "company">>,
        schemas.Company<Of<Fields, "company">>,
        schemas.CompanyUpdate<Of<Fields, "company">>
      >(to, "/companies"),
      ...deleted<schemas.Company<Of<Fields, "company">>>(to, "/companies"),
      ...recorded<schemas.CompanyBatchItem<Of<Fields, "company">>>(to, "/companies"),
      create: creating<schemas.CompanyCreate<Of<Fields, "company">>, schemas.Company<Of<Fields, "company">>>(
        to,
        "/companies",
      ),
      /** What `create` would do, and the stored companies that look like the new one. Nothing is created. */
      tryCreate: async (fields: schemas.CompanyCreate<Of<Fields, "company">>, options?: CallOptions) =>
        await to.write<schemas.TriedCompanyResponse>("POST", "/companies", { ...fields, dry_run: true }, options),
      /** A numbered page. */
      page: async (query?: Omit<schemas.ListCompaniesQuery, "cursor">, options?: CallOptions) =>
        await to.get<schemas.CompanyPage<Of<Fields, "company">>>("/companies", query, options),
      /** Every company that matches the filters. */
      all: (query: Filters<schemas.ListCompaniesQuery> = {}, options?: CallOptions) =>
        byCursor<schemas.Company<Of<Fields, "company">>>(to, "/companies", query, options),
      /** The same page by page, each with its `next_cursor`. `cursor` continues an earlier walk. */
      pages: (query: PagesQuery<schemas.ListCompaniesQuery> = {}, options?: CallOptions) =>
        cursorPages<schemas.Company<Of<Fields, "company">>>(to, "/companies", query, options),
      /** Pairs of companies that look the same, the sure ones first. */
      alike: (options?: CallOptions) => byCursor<schemas.AlikePair>(to, "/companies/alike", {}, options),
      /** Merges the company `from` into another. The `merge_id` of the result's `meta` undoes it. */
      merge: async (company: number, merge: schemas.CompanyMerge, options?: ChangeOptions) =>
        await to.write<schemas.CompanyMergeResponse>("POST", pathOf("/companies", company, "/merge"), merge, options),
      /** The invoices of a company that became orders in a warehouse. */
      wmsOrders: (company: number, options?: CallOptions) =>
        byNumber(
          to,
          pathOf("/companies", company, "/wms-orders"),
          (row: schemas.WmsOrder) => row.crm_invoice_id,
          options,
        ),
    },
    contacts: {
      ...single<
        schemas.ContactDetails<Of<Fields, "contact">>,
        schemas.Contact<Of<Fields, "contact">>,
        schemas.ContactUpdate<Of<Fields, "contact">>
      >(to, "/contacts"),
      ...deleted<schemas.Contact<Of<Fields, "contact">>>(to, "/contacts"),
      ...recorded<schemas.ContactBatchItem<Of<Fields, "contact">>>(to, "/contacts"),
      ...ofCompany<
        schemas.ContactCreate<Of<Fields, "contact">>,
        schemas.Contact<Of<Fields, "contact">>,
        schemas.Contact<Of<Fields, "contact">>,
        schemas.ContactPage<Of<Fields, "contact">>,
        schemas.ListContactsQuery
      >(to, "contacts"),
      /** Those of all companies that match the filters. */
      ofAllCompanies: (query: Filters<schemas.ListAllContactsQuery> = {}, options?: CallOptions) =>
        byCursor<schemas.Contact<Of<Fields, "contact">>>(to, "/contacts", query, options),
      /** Erases a person's data permanently. */
      erase: async (id: number, options?: WriteOptions) =>
        await to.write<schemas.ErasureReceipt>("POST", pathOf("/contacts", id, "/erase"), undefined, options),
    },
    addresses: {
      ...single<schemas.AddressDetails, schemas.Address, schemas.AddressUpdate>(to, "/addresses"),
      ...deleted<schemas.Address>(to, "/addresses"),
      ...recorded<schemas.AddressBatchItem>(to, "/addresses"),
      ...ofCompany<
        schemas.AddressCreate,
        schemas.Address,
        schemas.Address,
        schemas.AddressPage,
        schemas.ListAddressesQuery
      >(to, "addresses"),
      /** Those of all companies that match the filters. */
      ofAllCompanies: (query: Filters<schemas.ListAllAddressesQuery> = {}, options?: CallOptions) =>
        byCursor<schemas.Address>(to, "/addresses", query, options),
    },
    invoices: {
      ...single<
        schemas.InvoiceDetails<Of<Fields, "invoice">>,
        schemas.Invoice<Of<Fields, "invoice">>,
        schemas.InvoiceUpdate<Of<Fields, "invoice">>
      >(to, "/invoices"),
      ...recorded<schemas.InvoiceBatchItem<Of<Fields, "invoice">>>(to, "/invoices"),
      ...ofCompany<
        schemas.InvoiceCreate<Of<Fields, "invoice">>,
        schemas.Invoice<Of<Fields, "invoice">>,
        schemas.InvoiceItem<Of<Fields, "invoice">>,
        schemas.InvoicePage<Of<Fields, "invoice">>,
        schemas.ListInvoicesQuery
      >(to, "invoices"),
      /** Sends an invoice to its company's warehouse. Repeated calls still create only one order. */
      send: posting<schemas.Invoice<Of<Fields, "invoice">>>(to, "/invoices", "/wms-order"),
      /** Has the warehouse cancel the order of a cancelled invoice. */
      cancelOrder: posting<schemas.Invoice<Of<Fields, "invoice">>>(to, "/invoices", "/wms-order/cancel"),
    },
    payments: {
      get: async (id: number, options?: CallOptions): Promise<schemas.PaymentDetails> =>
        (await to.get<{ data: schemas.PaymentDetails }>(pathOf("/payments", id), {}, options)).data,
      /** Records a payment of an invoice. */
      create: async (invoice: number, fields: schemas.PaymentCreate, options?: WriteOptions) =>
        await creating<schemas.PaymentCreate, schemas.Payment>(to, pathOf("/invoices", invoice, "/payments"))(
          fields,
          options,
        ),
      /** The payments of an invoice. */
      all: (invoice: number, query: Filters<schemas.ListPaymentsQuery> = {}, options?: CallOptions) =>
        byCursor<schemas.Payment>(to, pathOf("/invoices", invoice, "/payments"), { ...query }, options),
      /** Those of all invoices that match the filters. */
      ofAllCompanies: (query: Filters<schemas.ListAllPaymentsQuery> = {}, options?: CallOptions) =>
        byCursor<schemas.Payment>(to, "/payments", { ...query }, options),
      delete: deleting(to, "/payments"),
      batch: async (items: readonly schemas.PaymentBatchItem[], options?: WriteOptions & { dryRun?: boolean }) =>
        await recorded<schemas.PaymentBatchItem>(to, "/payments").batch(items, options),
    },
    reports: {
      /** Who owes how much, by the days since it was due. */
      receivables: async (
        query: schemas.ShowReceivablesQuery = {},
        options?: CallOptions,
      ): Promise<schemas.Receivables> =>
        (await to.get<{ data: schemas.Receivables }>("/reports/receivables", { ...query }, options)).data,
      /** What was sold, beside the same days of the year before. */
      sales: async (query: schemas.ShowSalesQuery = {}, options?: CallOptions): Promise<schemas.Sales> =>
        (await to.get<{ data: schemas.Sales }>("/reports/sales", { ...query }, options)).data,
    },
    merges: {
      /** Undoes a merge of the last 30 days. */
      undo: async (id: number, options?: WriteOptions) =>
        await to.write<schemas.MergeUndone>("POST", pathOf("/merges", id, "/undo"), undefined, options),
    },
    changes: {
      /** The changes after a cursor, page by page, up to the current end of the feed. */
      read: (query: FeedQuery = {}, options?: CallOptions) => feedPages(to, query, null, options),
      /**
       * The same, followed by new changes until the signal aborts. Without changes, an empty page comes every 30
       * seconds.
       */
      follow: (query: FeedQuery = {}, options?: CallOptions) => feedPages(to, query, 30, options),
      /** The cursor of the latest change: store it, read the lists, then follow the feed from it. */
      latest: async (options?: CallOptions): Promise<string> => {
        let latest = "";
        // A reserved type without any change: its pages are empty, and each skips ten times as many changes as a full
        // page has.
        for await (const { next } of feedPages(to, { types: ["wms_order"] }, null, options)) latest = next;
        return latest;
      },
    },
    customFields: {
      ...single<schemas.CustomFieldDetails, schemas.CustomField, schemas.CustomFieldUpdate>(to, "/custom-fields"),
      create: creating<schemas.CustomFieldCreate, schemas.CustomField>(to, "/custom-fields"),
      /** Only an archived field can be deleted. */
      delete: deleting(to, "/custom-fields"),
      all: (options?: CallOptions) => byNumber(to, "/custom-fields", (row: schemas.CustomField) => row.id, options),
      /** The changes of a field, newest first. */
      history: (id: number, options?: CallOptions) =>
        byNumber(to, pathOf("/custom-fields", id, "/history"), (change: schemas.Change) => change.id, options),
    },
    webhooks: {
      ...single<schemas.WebhookDetails, schemas.Webhook, schemas.WebhookUpdate>(to, "/webhooks"),
      /** Only this response has the secret. */
      create: creating<schemas.WebhookCreate, schemas.WebhookWithSecret>(to, "/webhooks"),
      delete: deleting(to, "/webhooks"),
      all: (options?: CallOptions) => byNumber(to, "/webhooks", (row: schemas.Webhook) => row.id, options),
      /** Only this response has the new secret; the old one still signs for a day. */
      rotateSecret: posting<schemas.WebhookWithSecret>(to, "/webhooks", "/rotate-secret"),
      test: posting<schemas.WebhookDelivery>(to, "/webhooks", "/test"),
      deliveries: (id: number, options?: CallOptions) =>
        byNumber(to, pathOf("/webhooks", id, "/deliveries"), (row: schemas.WebhookDelivery) => row.id, options),
      redeliver: async (id: number, delivery: number, options?: WriteOptions) =>
        await posting<schemas.WebhookDelivery>(
          to,
          pathOf("/webhooks", id, "/deliveries"),
          "/redeliver",
        )(delivery, options),
    },
  };
}
