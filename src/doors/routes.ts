import { addressReference } from "../customers/addresses/address-reference.ts";
import { address } from "../customers/addresses/address.ts";
import {
  listAlikeEndpoint,
  sayNotAlikeEndpoint,
  takeBackNotAlikeEndpoint,
} from "../customers/alike/alike-endpoints.ts";
import { alikeReference } from "../customers/alike/alike-reference.ts";
import { alikeTo } from "../customers/alike/alike-to.ts";
import {
  createCompanyEndpoint,
  deleteCompanyEndpoint,
  listCompaniesEndpoint,
  listCompanyHistoryEndpoint,
  restoreCompanyEndpoint,
  showCompanyEndpoint,
  updateCompanyEndpoint,
} from "../customers/companies/company-endpoints.ts";
import { companyReferences } from "../customers/companies/company-reference.ts";
import { childEndpoints, embeddedChild } from "../customers/company-children/child-endpoints.ts";
import type { childReference } from "../customers/company-children/child-reference.ts";
import type { Child } from "../customers/company-children/child.ts";
import { contactReference } from "../customers/contacts/contact-reference.ts";
import { contact } from "../customers/contacts/contact.ts";
import {
  createDefinitionEndpoint,
  deleteDefinitionEndpoint,
  listDefinitionHistoryEndpoint,
  listDefinitionsEndpoint,
  showDefinitionEndpoint,
  updateDefinitionEndpoint,
} from "../customers/custom-fields/custom-field-endpoints.ts";
import { customFieldReference } from "../customers/custom-fields/custom-field-reference.ts";
import { batchEndpoint } from "../exchange/batch/batch-endpoint.ts";
import {
  batchOfAddresses,
  batchOfCompanies,
  batchOfContacts,
  batchOfInvoices,
  batchOfPayments,
  type BatchKind,
} from "../exchange/batch/batch-kind.ts";
import { feedReference } from "../exchange/feed/feed-reference.ts";
import { listChangesEndpoint } from "../exchange/feed/list-changes.ts";
import {
  mergeCompaniesEndpoint,
  mergeContactsEndpoint,
  undoMergeEndpoint,
} from "../exchange/merging/merge-endpoints.ts";
import { mergeReferences } from "../exchange/merging/merge-reference.ts";
import { eraseContactEndpoint } from "../exchange/personal-data/erase-contact-endpoint.ts";
import { eraseContactReference } from "../exchange/personal-data/personal-data-reference.ts";
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listDeliveriesEndpoint,
  listWebhooksEndpoint,
  redeliverEndpoint,
  rotateSecretEndpoint,
  showWebhookEndpoint,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from "../exchange/webhooks/webhook-endpoints.ts";
import { webhookReference } from "../exchange/webhooks/webhook-reference.ts";
import type { Endpoint } from "../kit/endpoint.ts";
import type { Reference } from "../kit/openapi/reference.ts";
import { patching } from "../kit/openapi/resource-references.ts";
import { listedSchema } from "../kit/openapi/resource-schemas.ts";
import {
  createInvoiceEndpoint,
  embeddedInvoices,
  listInvoiceHistoryEndpoint,
  listInvoicesEndpoint,
  showInvoiceEndpoint,
  updateInvoiceEndpoint,
} from "../orders/invoices/invoice-endpoints.ts";
import { invoiceReference, invoiceResource } from "../orders/invoices/invoice-reference.ts";
import {
  createPaymentEndpoint,
  deletePaymentEndpoint,
  listInvoicePaymentsEndpoint,
  listPaymentsEndpoint,
  showPaymentEndpoint,
} from "../orders/payments/payment-endpoints.ts";
import { paymentReference } from "../orders/payments/payment-reference.ts";
import { receivablesEndpoint } from "../orders/reports/receivables-endpoint.ts";
import { receivablesReference } from "../orders/reports/receivables-reference.ts";
import { salesEndpoint } from "../orders/reports/sales-endpoint.ts";
import { salesReference } from "../orders/reports/sales-reference.ts";
import { wmsOrderReference } from "../orders/wms/following/wms-order-reference.ts";
import { cancelOrderEndpoint, listWmsOrdersEndpoint, sendInvoiceEndpoint } from "../orders/wms/wms-endpoints.ts";
import type { Capability } from "../people/api-keys/capability.ts";
import { showMeEndpoint } from "../people/api-keys/me-endpoint.ts";
import { meReference } from "../people/api-keys/me-reference.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Route = {
  method: Method;
  /** As OpenAPI writes it. */
  path: string;
  /** Null: every valid key may use it. */
  capability: Capability | null;
  endpoint: Endpoint;
  /** The published document's texts about it. */
  reference: Reference;
  /** The limit of a body in bytes, if it may be larger than usual. */
  bodyLimit?: number;
};

/** The beginning of every path, which the list below leaves out. */
export const API_PREFIX = "/api/v1";

/** The resources that companies embed. */
const embeddable = [embeddedChild(contact), embeddedChild(address), embeddedInvoices];
const companyReference = companyReferences([
  { word: "contacts", capability: "contacts:read", item: contactReference.item },
  { word: "addresses", capability: "addresses:read", item: addressReference.item },
  { word: "invoices", capability: "invoices:read", item: listedSchema(invoiceResource) },
]);

const mergeReference = mergeReferences(companyReference, contactReference);

/** Every endpoint of the API: dispatch, capability checks, OpenAPI and the coverage tests read this list. */
export const routes: readonly Route[] = [
  route("GET", "/companies", "companies:read", listCompaniesEndpoint(embeddable), companyReference.list),
  route("POST", "/companies", "companies:write", createCompanyEndpoint(alikeTo), companyReference.create),
  route("GET", "/companies/{id}", "companies:read", showCompanyEndpoint(embeddable), companyReference.show),
  ...updates("/companies/{id}", "companies:write", updateCompanyEndpoint, companyReference.update),
  route("DELETE", "/companies/{id}", "companies:write", deleteCompanyEndpoint, companyReference.delete),
  route("POST", "/companies/{id}/restore", "companies:write", restoreCompanyEndpoint, companyReference.restore),
  route("GET", "/companies/{id}/history", "companies:read", listCompanyHistoryEndpoint, companyReference.history),
  route("GET", "/companies/alike", "companies:read", listAlikeEndpoint, alikeReference.list),
  route("PUT", "/companies/{id}/not-alike/{other}", "companies:write", sayNotAlikeEndpoint, alikeReference.say),
  route(
    "DELETE",
    "/companies/{id}/not-alike/{other}",
    "companies:write",
    takeBackNotAlikeEndpoint,
    alikeReference.takeBack,
  ),
  route("POST", "/companies/{id}/merge", "companies:write", mergeCompaniesEndpoint, mergeReference.companies),
  route("POST", "/contacts/{id}/merge", "contacts:write", mergeContactsEndpoint, mergeReference.contacts),
  route("POST", "/merges/{id}/undo", "companies:write", undoMergeEndpoint, mergeReference.undo),
  batchRoute("/companies/batch", "companies:write", batchOfCompanies, companyReference.batch),

  ...childRoutes("contacts", contact, contactReference, batchOfContacts),
  route("POST", "/contacts/{id}/erase", "contacts:erase", eraseContactEndpoint, eraseContactReference),
  ...childRoutes("addresses", address, addressReference, batchOfAddresses),

  route("GET", "/companies/{company}/invoices", "invoices:read", listInvoicesEndpoint, invoiceReference.list),
  route("POST", "/companies/{company}/invoices", "invoices:write", createInvoiceEndpoint, invoiceReference.create),
  route("GET", "/invoices/{id}", "invoices:read", showInvoiceEndpoint, invoiceReference.show),
  ...updates("/invoices/{id}", "invoices:write", updateInvoiceEndpoint, invoiceReference.update),
  route("GET", "/invoices/{id}/history", "invoices:read", listInvoiceHistoryEndpoint, invoiceReference.history),
  batchRoute("/invoices/batch", "invoices:write", batchOfInvoices, invoiceReference.batch),

  route("GET", "/payments", "payments:read", listPaymentsEndpoint, paymentReference.listAll),
  route("GET", "/invoices/{invoice}/payments", "payments:read", listInvoicePaymentsEndpoint, paymentReference.list),
  route("POST", "/invoices/{invoice}/payments", "payments:write", createPaymentEndpoint, paymentReference.create),
  route("GET", "/payments/{id}", "payments:read", showPaymentEndpoint, paymentReference.show),
  route("DELETE", "/payments/{id}", "payments:write", deletePaymentEndpoint, paymentReference.delete),
  batchRoute("/payments/batch", "payments:write", batchOfPayments, paymentReference.batch),

  route("POST", "/invoices/{id}/wms-order", "wms-orders:write", sendInvoiceEndpoint, wmsOrderReference.send),
  route("POST", "/invoices/{id}/wms-order/cancel", "wms-orders:write", cancelOrderEndpoint, wmsOrderReference.cancel),
  route("GET", "/companies/{company}/wms-orders", "wms-orders:read", listWmsOrdersEndpoint, wmsOrderReference.list),

  route("GET", "/reports/receivables", "reports:read", receivablesEndpoint, receivablesReference),
  route("GET", "/reports/sales", "reports:read", salesEndpoint, salesReference),

  route("GET", "/me", null, showMeEndpoint, meReference),

  route("GET", "/custom-fields", "custom-fields:read", listDefinitionsEndpoint, customFieldReference.list),
  route("POST", "/custom-fields", "custom-fields:write", createDefinitionEndpoint, customFieldReference.create),
  route("GET", "/custom-fields/{id}", "custom-fields:read", showDefinitionEndpoint, customFieldReference.show),
  ...updates("/custom-fields/{id}", "custom-fields:write", updateDefinitionEndpoint, customFieldReference.update),
  route("DELETE", "/custom-fields/{id}", "custom-fields:write", deleteDefinitionEndpoint, customFieldReference.delete),
  route(
    "GET",
    "/custom-fields/{id}/history",
    "custom-fields:read",
    listDefinitionHistoryEndpoint,
    customFieldReference.history,
  ),

  route("GET", "/changes", "changes:read", listChangesEndpoint, feedReference),

  route("GET", "/webhooks", "webhooks:read", listWebhooksEndpoint, webhookReference.list),
  route("POST", "/webhooks", "webhooks:write", createWebhookEndpoint, webhookReference.create),
  route("GET", "/webhooks/{id}", "webhooks:read", showWebhookEndpoint, webhookReference.show),
  ...updates("/webhooks/{id}", "webhooks:write", updateWebhookEndpoint, webhookReference.update),
  route("DELETE", "/webhooks/{id}", "webhooks:write", deleteWebhookEndpoint, webhookReference.delete),
  route("POST", "/webhooks/{id}/rotate-secret", "webhooks:write", rotateSecretEndpoint, webhookReference.rotate),
  route("POST", "/webhooks/{id}/test", "webhooks:write", testWebhookEndpoint, webhookReference.test),
  route("GET", "/webhooks/{id}/deliveries", "webhooks:read", listDeliveriesEndpoint, webhookReference.deliveries),
  route(
    "POST",
    "/webhooks/{id}/deliveries/{delivery}/redeliver",
    "webhooks:write",
    redeliverEndpoint,
    webhookReference.redeliver,
  ),
];

function route(
  method: Method,
  path: string,
  capability: Capability | null,
  endpoint: Endpoint,
  reference: Reference,
): Route {
  return { method, path: `${API_PREFIX}${path}`, capability, endpoint, reference };
}

/** The routes of a noun that belongs to a company. */
function childRoutes(
  table: "contacts" | "addresses",
  child: Child,
  reference: ReturnType<typeof childReference>,
  batch: BatchKind,
): Route[] {
  const [read, write] = [`${table}:read`, `${table}:write`] as const;
  const [ofCompany, one] = [`/companies/{company}/${table}`, `/${table}/{id}`];
  const endpoints = childEndpoints(child);
  return [
    route("GET", `/${table}`, read, endpoints.listAll, reference.listAll),
    route("GET", ofCompany, read, endpoints.list, reference.list),
    route("POST", ofCompany, write, endpoints.create, reference.create),
    route("GET", one, read, endpoints.show, reference.show),
    ...updates(one, write, endpoints.update, reference.update),
    route("DELETE", one, write, endpoints.delete, reference.delete),
    route("POST", `${one}/restore`, write, endpoints.restore, reference.restore),
    route("GET", `${one}/history`, read, endpoints.history, reference.history),
    batchRoute(`/${table}/batch`, write, batch, reference.batch),
  ];
}

/** PUT, and PATCH, which is the same. */
function updates(path: string, capability: Capability, endpoint: Endpoint, reference: Reference): Route[] {
  return [
    route("PUT", path, capability, endpoint, reference),
    route("PATCH", path, capability, endpoint, patching(reference)),
  ];
}

function batchRoute(path: string, capability: Capability, batch: BatchKind, reference: Reference): Route {
  return { ...route("POST", path, capability, batchEndpoint(batch), reference), bodyLimit: 8 * 1024 * 1024 };
}
