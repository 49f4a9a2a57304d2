import { creating, deleted, deleting, ofCompany, pathOf, posting, recorded, single, type Filters } from "./nouns.ts";
import type * as schemas from "./schemas.generated.ts";
import { createTransport, type CallOptions, type ClientOptions, type WriteOptions } from "./transport.ts";
import { byCursor, byNumber, feedPages, type FeedQuery } from "./walks.ts";

/** A client of one tenant. Its calls return what an answer has in `data`, and throw `LiaisonError`. */
export type LiaisonClient = ReturnType<typeof createClient>;

/** A client of the tenant that the token is of. */
export function createClient(options: ClientOptions) {
  const to = createTransport(options);
  return {
    companies: {
      ...single<schemas.CompanyDetails, schemas.Company, schemas.CompanyUpdate>(to, "/companies"),
      ...deleted<schemas.Company>(to, "/companies"),
      ...recorded<schemas.CompanyBatchItem>(to, "/companies"),
      create: creating<schemas.CompanyCreate, schemas.Company>(to, "/companies"),
      /** A numbered page. */
      page: async (query?: Omit<schemas.ListCompaniesQuery, "cursor">, options?: CallOptions) =>
        await to.get<schemas.CompanyPage>("/companies", query, options),
      /** Every company that the filters leave. */
      all: (query: Filters<schemas.ListCompaniesQuery> = {}, options?: CallOptions) =>
        byCursor<schemas.Company>(to, "/companies", query, options),
      /** The invoices of a company that became orders of a warehouse. */
      wmsOrders: (company: number, options?: CallOptions) =>
        byNumber(
          to,
          pathOf("/companies", company, "/wms-orders"),
          (row: schemas.WmsOrder) => row.crm_invoice_id,
          options,
        ),
    },
    contacts: {
      ...single<schemas.ContactDetails, schemas.Contact, schemas.ContactUpdate>(to, "/contacts"),
      ...deleted<schemas.Contact>(to, "/contacts"),
      ...recorded<schemas.ContactBatchItem>(to, "/contacts"),
      ...ofCompany<
        schemas.ContactCreate,
        schemas.Contact,
        schemas.Contact,
        schemas.ContactPage,
        schemas.ListContactsQuery
      >(to, "contacts"),
      /** Erases a person for good. */
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
    },
    invoices: {
      ...single<schemas.InvoiceDetails, schemas.Invoice, schemas.InvoiceUpdate>(to, "/invoices"),
      ...recorded<schemas.InvoiceBatchItem>(to, "/invoices"),
      ...ofCompany<
        schemas.InvoiceCreate,
        schemas.Invoice,
        schemas.InvoiceItem,
        schemas.InvoicePage,
        schemas.ListInvoicesQuery
      >(to, "invoices"),
      /** Has an invoice sent to its company's warehouse, where it becomes one order however often it is asked for. */
      send: posting<schemas.Invoice>(to, "/invoices", "/wms-order"),
    },
    changes: {
      /** The changes behind a cursor, page by page; ends with the last page that there is now. */
      read: (query: FeedQuery = {}, options?: CallOptions) => feedPages(to, query, null, options),
      /** The same, and then what happens from then on, until the signal ends it; a page without changes comes after half a minute. */
      follow: (query: FeedQuery = {}, options?: CallOptions) => feedPages(to, query, 30, options),
      /** The cursor behind the last change: take it, read the lists, and follow from it. */
      latest: async (options?: CallOptions): Promise<string> => {
        let latest = "";
        // A reserved type, which no change has: each page is empty, and passes over ten times as many as one can have.
        for await (const { next } of feedPages(to, { types: ["wms_order"] }, null, options)) latest = next;
        return latest;
      },
    },
    webhooks: {
      ...single<schemas.WebhookDetails, schemas.Webhook, schemas.WebhookUpdate>(to, "/webhooks"),
      /** The answer alone has the secret. */
      create: creating<schemas.WebhookCreate, schemas.WebhookWithSecret>(to, "/webhooks"),
      delete: deleting(to, "/webhooks"),
      all: (options?: CallOptions) => byNumber(to, "/webhooks", (row: schemas.Webhook) => row.id, options),
      /** A new secret, in this answer alone; the old one signs too for a day. */
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
