import { address } from "./addresses/address.ts";
import type { Capability } from "./api-keys/capability.ts";
import { createChild } from "./company-children/create-child.ts";
import { deleteChild } from "./company-children/delete-child.ts";
import { listChildren } from "./company-children/list-children.ts";
import { showChild } from "./company-children/show-child.ts";
import { updateChild } from "./company-children/update-child.ts";
import { createCompanyEndpoint } from "./companies/create-company.ts";
import { deleteCompanyEndpoint } from "./companies/delete-company.ts";
import { listCompaniesEndpoint } from "./companies/list-companies.ts";
import { showCompanyEndpoint } from "./companies/show-company.ts";
import { updateCompanyEndpoint } from "./companies/update-company.ts";
import { contact } from "./contacts/contact.ts";
import type { Endpoint } from "./endpoint.ts";
import { listWmsOrdersEndpoint } from "./wms/list-wms-orders.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export type Route = {
  method: Method;
  /** As OpenAPI writes it. */
  path: string;
  capability: Capability;
  endpoint: Endpoint;
};

/** Where the API lives; every path below begins with it. */
export const API_PREFIX = "/api/v1";

/** Every endpoint of the API: dispatch, capability checks, OpenAPI and the coverage tests read this list. */
export const routes: readonly Route[] = [
  route("GET", "/api/v1/companies", "companies:read", listCompaniesEndpoint),
  route("POST", "/api/v1/companies", "companies:write", createCompanyEndpoint),
  route("GET", "/api/v1/companies/{id}", "companies:read", showCompanyEndpoint),
  route("PUT", "/api/v1/companies/{id}", "companies:write", updateCompanyEndpoint),
  route("DELETE", "/api/v1/companies/{id}", "companies:write", deleteCompanyEndpoint),

  route("GET", "/api/v1/companies/{company}/contacts", "contacts:read", listChildren(contact)),
  route("POST", "/api/v1/companies/{company}/contacts", "contacts:write", createChild(contact)),
  route("GET", "/api/v1/contacts/{id}", "contacts:read", showChild(contact)),
  route("PUT", "/api/v1/contacts/{id}", "contacts:write", updateChild(contact)),
  route("DELETE", "/api/v1/contacts/{id}", "contacts:write", deleteChild(contact)),

  route("GET", "/api/v1/companies/{company}/addresses", "addresses:read", listChildren(address)),
  route("POST", "/api/v1/companies/{company}/addresses", "addresses:write", createChild(address)),
  route("GET", "/api/v1/addresses/{id}", "addresses:read", showChild(address)),
  route("PUT", "/api/v1/addresses/{id}", "addresses:write", updateChild(address)),
  route("DELETE", "/api/v1/addresses/{id}", "addresses:write", deleteChild(address)),

  route("GET", "/api/v1/companies/{company}/wms-orders", "wms-orders:read", listWmsOrdersEndpoint),
];

function route(method: Method, path: string, capability: Capability, endpoint: Endpoint): Route {
  return { method, path, capability, endpoint };
}
