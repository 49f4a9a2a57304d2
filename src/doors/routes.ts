import { addressReference } from "../addresses/address-reference.ts";
import { address } from "../addresses/address.ts";
import type { Capability } from "../api-keys/capability.ts";
import { batchEndpoint } from "../batch/batch-endpoint.ts";
import {
  batchOfAddresses,
  batchOfCompanies,
  batchOfContacts,
  batchOfInvoices,
  type BatchKind,
} from "../batch/batch-kind.ts";
import { companyReference } from "../companies/company-reference.ts";
import { createCompanyEndpoint } from "../companies/create-company.ts";
import { deleteCompanyEndpoint } from "../companies/delete-company.ts";
import { listCompaniesEndpoint } from "../companies/list-companies.ts";
import { listCompanyHistoryEndpoint } from "../companies/list-company-history.ts";
import { restoreCompanyEndpoint } from "../companies/restore-company.ts";
import { showCompanyEndpoint } from "../companies/show-company.ts";
import { updateCompanyEndpoint } from "../companies/update-company.ts";
import { createChild } from "../company-children/create-child.ts";
import { deleteChild } from "../company-children/delete-child.ts";
import { listChildHistory } from "../company-children/list-child-history.ts";
import { listChildren } from "../company-children/list-children.ts";
import { restoreChild } from "../company-children/restore-child.ts";
import { showChild } from "../company-children/show-child.ts";
import { updateChild } from "../company-children/update-child.ts";
import { contactReference } from "../contacts/contact-reference.ts";
import { contact } from "../contacts/contact.ts";
import type { Endpoint } from "../endpoint.ts";
import { feedReference } from "../feed/feed-reference.ts";
import { listChangesEndpoint } from "../feed/list-changes.ts";
import { createInvoiceEndpoint } from "../invoices/create-invoice.ts";
import { invoiceReference } from "../invoices/invoice-reference.ts";
import { listInvoiceHistoryEndpoint } from "../invoices/list-invoice-history.ts";
import { listInvoicesEndpoint } from "../invoices/list-invoices.ts";
import { showInvoiceEndpoint } from "../invoices/show-invoice.ts";
import { updateInvoiceEndpoint } from "../invoices/update-invoice.ts";
import type { Reference } from "../openapi/reference.ts";
import { patching } from "../openapi/resource-references.ts";
import { eraseContactEndpoint } from "../personal-data/erase-contact-endpoint.ts";
import { eraseContactReference } from "../personal-data/personal-data-reference.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook.ts";
import { deleteWebhookEndpoint } from "../webhooks/delete-webhook.ts";
import { listDeliveriesEndpoint } from "../webhooks/list-deliveries.ts";
import { listWebhooksEndpoint } from "../webhooks/list-webhooks.ts";
import { redeliverEndpoint } from "../webhooks/redeliver.ts";
import { rotateSecretEndpoint } from "../webhooks/rotate-secret.ts";
import { showWebhookEndpoint } from "../webhooks/show-webhook.ts";
import { testWebhookEndpoint } from "../webhooks/test-webhook.ts";
import { updateWebhookEndpoint } from "../webhooks/update-webhook.ts";
import { webhookReference } from "../webhooks/webhook-reference.ts";
import { listWmsOrdersEndpoint } from "../wms/following/list-wms-orders.ts";
import { wmsOrderReference } from "../wms/following/wms-order-reference.ts";
import { sendInvoiceEndpoint } from "../wms/sending/send-invoice-endpoint.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Route = {
  method: Method;
  /** As OpenAPI writes it. */
  path: string;
  capability: Capability;
  endpoint: Endpoint;
  /** The published document's words about it. */
  reference: Reference;
  /** The bytes of a body, where it may be larger than most. */
  bodyLimit?: number;
};

/** The beginning of every path below. */
export const API_PREFIX = "/api/v1";

/** Every endpoint of the API: dispatch, capability checks, OpenAPI and the coverage tests read this list. */
export const routes: readonly Route[] = [
  route("GET", "/api/v1/companies", "companies:read", listCompaniesEndpoint, companyReference.list),
  route("POST", "/api/v1/companies", "companies:write", createCompanyEndpoint, companyReference.create),
  route("GET", "/api/v1/companies/{id}", "companies:read", showCompanyEndpoint, companyReference.show),
  ...updates("/api/v1/companies/{id}", "companies:write", updateCompanyEndpoint, companyReference.update),
  route("DELETE", "/api/v1/companies/{id}", "companies:write", deleteCompanyEndpoint, companyReference.delete),
  route("POST", "/api/v1/companies/{id}/restore", "companies:write", restoreCompanyEndpoint, companyReference.restore),
  route(
    "GET",
    "/api/v1/companies/{id}/history",
    "companies:read",
    listCompanyHistoryEndpoint,
    companyReference.history,
  ),
  batchRoute("/api/v1/companies/batch", "companies:write", batchOfCompanies, companyReference.batch),

  route("GET", "/api/v1/companies/{company}/contacts", "contacts:read", listChildren(contact), contactReference.list),
  route(
    "POST",
    "/api/v1/companies/{company}/contacts",
    "contacts:write",
    createChild(contact),
    contactReference.create,
  ),
  route("GET", "/api/v1/contacts/{id}", "contacts:read", showChild(contact), contactReference.show),
  ...updates("/api/v1/contacts/{id}", "contacts:write", updateChild(contact), contactReference.update),
  route("DELETE", "/api/v1/contacts/{id}", "contacts:write", deleteChild(contact), contactReference.delete),
  route("POST", "/api/v1/contacts/{id}/restore", "contacts:write", restoreChild(contact), contactReference.restore),
  route("GET", "/api/v1/contacts/{id}/history", "contacts:read", listChildHistory(contact), contactReference.history),
  route("POST", "/api/v1/contacts/{id}/erase", "contacts:erase", eraseContactEndpoint, eraseContactReference),
  batchRoute("/api/v1/contacts/batch", "contacts:write", batchOfContacts, contactReference.batch),

  route("GET", "/api/v1/companies/{company}/addresses", "addresses:read", listChildren(address), addressReference.list),
  route(
    "POST",
    "/api/v1/companies/{company}/addresses",
    "addresses:write",
    createChild(address),
    addressReference.create,
  ),
  route("GET", "/api/v1/addresses/{id}", "addresses:read", showChild(address), addressReference.show),
  ...updates("/api/v1/addresses/{id}", "addresses:write", updateChild(address), addressReference.update),
  route("DELETE", "/api/v1/addresses/{id}", "addresses:write", deleteChild(address), addressReference.delete),
  route("POST", "/api/v1/addresses/{id}/restore", "addresses:write", restoreChild(address), addressReference.restore),
  route("GET", "/api/v1/addresses/{id}/history", "addresses:read", listChildHistory(address), addressReference.history),
  batchRoute("/api/v1/addresses/batch", "addresses:write", batchOfAddresses, addressReference.batch),

  route("GET", "/api/v1/companies/{company}/invoices", "invoices:read", listInvoicesEndpoint, invoiceReference.list),
  route(
    "POST",
    "/api/v1/companies/{company}/invoices",
    "invoices:write",
    createInvoiceEndpoint,
    invoiceReference.create,
  ),
  route("GET", "/api/v1/invoices/{id}", "invoices:read", showInvoiceEndpoint, invoiceReference.show),
  ...updates("/api/v1/invoices/{id}", "invoices:write", updateInvoiceEndpoint, invoiceReference.update),
  route("GET", "/api/v1/invoices/{id}/history", "invoices:read", listInvoiceHistoryEndpoint, invoiceReference.history),
  batchRoute("/api/v1/invoices/batch", "invoices:write", batchOfInvoices, invoiceReference.batch),

  route("POST", "/api/v1/invoices/{id}/wms-order", "wms-orders:write", sendInvoiceEndpoint, wmsOrderReference.send),
  route(
    "GET",
    "/api/v1/companies/{company}/wms-orders",
    "wms-orders:read",
    listWmsOrdersEndpoint,
    wmsOrderReference.list,
  ),

  route("GET", "/api/v1/changes", "changes:read", listChangesEndpoint, feedReference),

  route("GET", "/api/v1/webhooks", "webhooks:read", listWebhooksEndpoint, webhookReference.list),
  route("POST", "/api/v1/webhooks", "webhooks:write", createWebhookEndpoint, webhookReference.create),
  route("GET", "/api/v1/webhooks/{id}", "webhooks:read", showWebhookEndpoint, webhookReference.show),
  ...updates("/api/v1/webhooks/{id}", "webhooks:write", updateWebhookEndpoint, webhookReference.update),
  route("DELETE", "/api/v1/webhooks/{id}", "webhooks:write", deleteWebhookEndpoint, webhookReference.delete),
  route("POST", "/api/v1/webhooks/{id}/rotate-secret", "webhooks:write", rotateSecretEndpoint, webhookReference.rotate),
  route("POST", "/api/v1/webhooks/{id}/test", "webhooks:write", testWebhookEndpoint, webhookReference.test),
  route(
    "GET",
    "/api/v1/webhooks/{id}/deliveries",
    "webhooks:read",
    listDeliveriesEndpoint,
    webhookReference.deliveries,
  ),
  route(
    "POST",
    "/api/v1/webhooks/{id}/deliveries/{delivery}/redeliver",
    "webhooks:write",
    redeliverEndpoint,
    webhookReference.redeliver,
  ),
];

function route(method: Method, path: string, capability: Capability, endpoint: Endpoint, reference: Reference): Route {
  return { method, path, capability, endpoint, reference };
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
