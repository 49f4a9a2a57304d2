// Generated from the OpenAPI document by `npm run client-types`.

/** Values of `X-Error-Code`. */
export type ErrorCode = "address_not_allowed" | "bad_request" | "body_too_large" | "capability_missing" | "change_type_unknown" | "company_merged" | "contact_merged" | "cursor_invalid" | "cursor_too_old" | "custom_field_in_use" | "deletion_blocked" | "encoding_unsupported" | "external_id_taken" | "idempotency_key_in_progress" | "idempotency_key_invalid" | "idempotency_key_reused" | "invoice_not_sendable" | "invoice_number_taken" | "invoice_sent" | "key_format_invalid" | "key_inactive" | "key_missing" | "key_unknown" | "merge_not_undoable" | "method_not_allowed" | "order_not_cancellable" | "payment_refused" | "rate_limited" | "resource_changed" | "resource_missing" | "tax_id_taken" | "tenant_suspended" | "tenant_unknown" | "unavailable" | "unexpected" | "validation_failed" | "webhook_inactive" | "webhook_secrets_too_many";

export type ListCompaniesQuery = {
  /** A text anywhere in `name`, `tax_id`, `email`, `city`, ignoring case and accents. Empty: no filter. */
  search?: string;
  /** Companies of this status. Any other value matches nothing. */
  status?: CompanyStatus;
  /** Companies assigned to the user with this id. Any other value matches nothing. */
  assigned_to?: number;
  /** The order: by `id` or by `name`; `-` reverses it. Names are compared without case and accents. Companies of the same name are in the order of `tax_id`, `email`, `city` and `id`. Any other value means `id`. */
  sort?: CompanySort;
  /** The resource with this external id, as `source:id`. Any other value matches nothing. */
  external?: string;
  /** The resources with these ids: at most 200, separated by commas. */
  ids?: string;
  /** Resources updated at this timestamp or later. A day begins at midnight in UTC. */
  updated_since?: string;
  /** The one with this tax id, compared without case. */
  tax_id?: string;
  /** `custom[KEY]=VALUE`: resources with this value of a custom field. At most three fields. */
  custom?: Record<string, string>;
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
  /** Empty for the first page, then the `next_cursor` of the last answer. The answer has `data`, `next_cursor` and `per_page`. `page` is ignored. A cursor is valid only with the filters and the `sort` that it was returned for. */
  cursor?: string;
  /** Members to add to the answer: `contacts` (needs `contacts:read`), `addresses` (needs `addresses:read`), `invoices` (needs `invoices:read`), `terms`, `external`. Separate them by commas. Other words are ignored. */
  include?: string;
};

export type ShowCompanyQuery = {
  /** Members to add to the answer: `contacts` (needs `contacts:read`), `addresses` (needs `addresses:read`), `invoices` (needs `invoices:read`), `terms`, `external`. Separate them by commas. Other words are ignored. */
  include?: string;
};

export type ListCompanyHistoryQuery = {
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
};

export type ListAlikeCompaniesQuery = {
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
  /** Empty for the first page, then the `next_cursor` of the last answer. The answer has `data`, `next_cursor` and `per_page`. `page` is ignored. A cursor is valid only with the filters and the `sort` that it was returned for. */
  cursor?: string;
};

export type ListAllContactsQuery = {
  /** A text anywhere in `first_name`, `last_name`, `email`, ignoring case and accents. Empty: no filter. */
  search?: string;
  /** The resource with this external id, as `source:id`. Any other value matches nothing. */
  external?: string;
  /** The resources with these ids: at most 200, separated by commas. */
  ids?: string;
  /** Resources updated at this timestamp or later. A day begins at midnight in UTC. */
  updated_since?: string;
  /** Contacts with this e-mail address, compared without case. */
  email?: string;
  /** `custom[KEY]=VALUE`: resources with this value of a custom field. At most three fields. */
  custom?: Record<string, string>;
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
  /** Empty for the first page, then the `next_cursor` of the last answer. The answer has `data`, `next_cursor` and `per_page`. `page` is ignored. A cursor is valid only with the filters and the `sort` that it was returned for. */
  cursor?: string;
  /** `external` adds the member `external`. Separate words by commas. Other words are ignored. */
  include?: string;
};

export type ListContactsQuery = {
  /** A text anywhere in `first_name`, `last_name`, `email`, ignoring case and accents. Empty: no filter. */
  search?: string;
  /** The resource with this external id, as `source:id`. Any other value matches nothing. */
  external?: string;
  /** The resources with these ids: at most 200, separated by commas. */
  ids?: string;
  /** Resources updated at this timestamp or later. A day begins at midnight in UTC. */
  updated_since?: string;
  /** Contacts with this e-mail address, compared without case. */
  email?: string;
  /** `custom[KEY]=VALUE`: resources with this value of a custom field. At most three fields. */
  custom?: Record<string, string>;
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
  /** Empty for the first page, then the `next_cursor` of the last answer. The answer has `data`, `next_cursor` and `per_page`. `page` is ignored. A cursor is valid only with the filters and the `sort` that it was returned for. */
  cursor?: string;
  /** `external` adds the member `external`. Separate words by commas. Other words are ignored. */
  include?: string;
};

export type ShowContactQuery = {
  /** `external` adds the member `external`. Separate words by commas. Other words are ignored. */
  include?: string;
};

export type ListContactHistoryQuery = {
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
};

export type ListAllAddressesQuery = {
  /** A text anywhere in `label`, `address`, `city`, ignoring case and accents. Empty: no filter. */
  search?: string;
  /** The resource with this external id, as `source:id`. Any other value matches nothing. */
  external?: string;
  /** The resources with these ids: at most 200, separated by commas. */
  ids?: string;
  /** Resources updated at this timestamp or later. A day begins at midnight in UTC. */
  updated_since?: string;
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
  /** Empty for the first page, then the `next_cursor` of the last answer. The answer has `data`, `next_cursor` and `per_page`. `page` is ignored. A cursor is valid only with the filters and the `sort` that it was returned for. */
  cursor?: string;
  /** `external` adds the member `external`. Separate words by commas. Other words are ignored. */
  include?: string;
};

export type ListAddressesQuery = {
  /** A text anywhere in `label`, `address`, `city`, ignoring case and accents. Empty: no filter. */
  search?: string;
  /** The resource with this external id, as `source:id`. Any other value matches nothing. */
  external?: string;
  /** The resources with these ids: at most 200, separated by commas. */
  ids?: string;
  /** Resources updated at this timestamp or later. A day begins at midnight in UTC. */
  updated_since?: string;
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
  /** Empty for the first page, then the `next_cursor` of the last answer. The answer has `data`, `next_cursor` and `per_page`. `page` is ignored. A cursor is valid only with the filters and the `sort` that it was returned for. */
  cursor?: string;
  /** `external` adds the member `external`. Separate words by commas. Other words are ignored. */
  include?: string;
};

export type ShowAddressQuery = {
  /** `external` adds the member `external`. Separate words by commas. Other words are ignored. */
  include?: string;
};

export type ListAddressHistoryQuery = {
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
};

export type ListInvoicesQuery = {
  /** A text anywhere in `number`, ignoring case and accents. Empty: no filter. */
  search?: string;
  /** Invoices of this status. Any other value matches nothing. */
  status?: InvoiceStatus;
  /** Invoices with this `wms.state`. `cancelled_here`: those that are cancelled although their order is not, until a person accepts that. Any other value matches nothing. */
  wms_state?: "not_sent" | "queued" | "sending" | "unknown" | "sent" | "failed" | "cancelled_here";
  /** The resource with this external id, as `source:id`. Any other value matches nothing. */
  external?: string;
  /** The resources with these ids: at most 200, separated by commas. */
  ids?: string;
  /** Resources updated at this timestamp or later. A day begins at midnight in UTC. */
  updated_since?: string;
  /** The invoice with this number, in the same upper and lower case. */
  number?: string;
  /** `custom[KEY]=VALUE`: resources with this value of a custom field. At most three fields. */
  custom?: Record<string, string>;
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
  /** Empty for the first page, then the `next_cursor` of the last answer. The answer has `data`, `next_cursor` and `per_page`. `page` is ignored. A cursor is valid only with the filters and the `sort` that it was returned for. */
  cursor?: string;
  /** Members to add to the answer: `lines`, `external`. Separate them by commas. Other words are ignored. */
  include?: string;
};

export type ShowInvoiceQuery = {
  /** `external` adds the member `external`. Separate words by commas. Other words are ignored. */
  include?: string;
};

export type ListInvoiceHistoryQuery = {
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
};

export type ListAllPaymentsQuery = {
  /** The resource with this external id, as `source:id`. Any other value matches nothing. */
  external?: string;
  /** The resources with these ids: at most 200, separated by commas. */
  ids?: string;
  /** Resources updated at this timestamp or later. A day begins at midnight in UTC. */
  updated_since?: string;
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
  /** Empty for the first page, then the `next_cursor` of the last answer. The answer has `data`, `next_cursor` and `per_page`. `page` is ignored. A cursor is valid only with the filters and the `sort` that it was returned for. */
  cursor?: string;
  /** `external` adds the member `external`. Separate words by commas. Other words are ignored. */
  include?: string;
};

export type ListPaymentsQuery = {
  /** The resource with this external id, as `source:id`. Any other value matches nothing. */
  external?: string;
  /** The resources with these ids: at most 200, separated by commas. */
  ids?: string;
  /** Resources updated at this timestamp or later. A day begins at midnight in UTC. */
  updated_since?: string;
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
  /** Empty for the first page, then the `next_cursor` of the last answer. The answer has `data`, `next_cursor` and `per_page`. `page` is ignored. A cursor is valid only with the filters and the `sort` that it was returned for. */
  cursor?: string;
  /** `external` adds the member `external`. Separate words by commas. Other words are ignored. */
  include?: string;
};

export type ShowPaymentQuery = {
  /** `external` adds the member `external`. Separate words by commas. Other words are ignored. */
  include?: string;
};

export type ListWmsOrdersQuery = {
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
};

export type ShowReceivablesQuery = {
  /** A day, which counts invoices issued and payments made until then. Without it: today, with everything. */
  as_of?: string;
  /** Only this currency. */
  currency?: string;
  /** Only the companies of this user; 0 for those without an owner. */
  assigned_to?: number;
  /** 1: companies without an overdue amount are left out. */
  overdue?: number;
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
};

export type ShowSalesQuery = {
  /** Until today; without it, the quarter. */
  period?: "month" | "quarter" | "year" | "12_months";
  /** The first day, instead of `period`. */
  from?: string;
  /** The last day. Without it: today. */
  to?: string;
  /** A row for each of these; without it, `company`. A `product` is a SKU, with the amounts of its lines without VAT. */
  by?: "company" | "owner" | "product" | "city" | "month";
  /** 1: only rows with invoices in the year before, and none in the period. */
  stopped?: number;
  /** Only this currency. */
  currency?: string;
  /** Only the companies of this user; 0 for those without an owner. */
  assigned_to?: number;
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
};

export type ListCustomFieldsQuery = {
  /** Only those of these records. */
  noun?: "company" | "contact" | "invoice";
  /** `true`: the archived ones instead of the others. */
  archived?: boolean;
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
};

export type ListCustomFieldHistoryQuery = {
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
};

export type ListChangesQuery = {
  /** The `next` of the last answer. Without it: from the oldest change that is kept. */
  after?: string;
  /** The most changes of a page. A value beyond the bounds means the bound. Default: 100. */
  limit?: number;
  /** Only changes of these types, separated by commas: `company`, `contact`, `address`, `invoice`, `payment`, `custom_field`, `wms_order`, `wms`. Any other is refused. Default: all. */
  types?: string;
  /** Seconds to wait if there is no change yet. The answer is returned as soon as there is one. Default: 0. */
  wait?: number;
  /** `true` adds a change for each contact and address that is hidden or shown with its company, directly after the company's change. */
  children?: boolean;
  /** `resource` adds to each change its resource, as GET returns it now, if the key may read its type; `resource,external` with its external ids. A page then has 200 changes at most. */
  include?: string;
};

export type ListWebhooksQuery = {
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
};

export type ListWebhookDeliveriesQuery = {
  /** The number of the page, from 1. A page beyond the last is empty. Any other value means 1. */
  page?: number;
  /** Items per page. A value above 200 means 200, any other value means 50. */
  per_page?: number;
};

export type CompanyStatus = "active" | "inactive" | "prospect" | "churned";

export type CompanySort = "name" | "-name" | "id" | "-id";

export type CompanyPage<Custom = CustomFields> = {
  /** The requested page, also beyond the last one. */
  current_page: number;
  data: Array<Company<Custom>>;
  /** Absolute, with the list's other parameters. */
  first_page_url: string;
  /** The position of the page's first item. Null on an empty page. */
  from: number | null;
  last_page: number;
  /** Absolute, with the list's other parameters. */
  last_page_url: string;
  /** Null on the last page, and beyond it. */
  next_page_url: string | null;
  /** The list's address without its query. */
  path: string;
  per_page: number;
  /** Null on the first page. */
  prev_page_url: string | null;
  /** The position of the page's last item. Null on an empty page. */
  to: number | null;
  /** Items of all pages; exact. */
  total: number;
};

/** The company as lists, POST and PUT answer it. */
export type Company<Custom = CustomFields> = {
  contacts?: EmbeddedContacts;
  addresses?: EmbeddedAddresses;
  invoices?: EmbeddedInvoices;
  id: number;
  /** The company's name, as on its invoices. */
  name: string;
  /** Fiscal id. Unique among the tenant's companies, compared without case. */
  tax_id: string | null;
  /** Trade-registry number. */
  registration_number: string | null;
  /** The industry, in your own words. */
  industry: string | null;
  /** Stored as it was sent; it need not be a URL. */
  website: string | null;
  /** Stored encrypted. */
  phone: string | null;
  /** The company's own e-mail address, not that of a person. */
  email: string | null;
  /** Street and number of the head office. Other places are addresses of the company. */
  address: string | null;
  /** City of the head office. */
  city: string | null;
  /** County or region of the head office. */
  county: string | null;
  /** Default: the tenant's country. */
  country: string;
  /** Postal code of the head office. */
  postal_code: string | null;
  /** The state of the business relationship. `churned` is a former customer. */
  status: CompanyStatus;
  /** Internal status code inherited from a legacy system. */
  status_code: number | null;
  /** Id of an active user of the tenant. */
  assigned_to: number | null;
  /** For your colleagues. Free text. */
  notes: string | null;
  /** Name of the company that manages this one. */
  managing_company: string | null;
  /** Number of employees. */
  employee_count: number | null;
  /** Registered field of activity. */
  activity_domain: string | null;
  /** The registered address, in one line. */
  fiscal_address: string | null;
  /** For each delivery to the company. Free text. */
  delivery_notes: string | null;
  /** The day on which somebody should call the company. */
  callback_date: string | null;
  /** The company's warehouse system. Set in the web interface only. */
  wms_subdomain: string | null;
  /** The values of the workspace's custom fields by key, in their order. Write them as `custom`. */
  metadata: Partial<Custom> | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  /** Always null: a deleted resource is in no answer. */
  deleted_at: string | null;
  /** The user that `assigned_to` names. */
  assigned_user: UserRef | null;
  /** Only with `include=terms`. */
  terms?: CompanyTerms;
  external?: ExternalIds;
};

/** The contacts of the company, at most 100, in the order of their list. Only GET with `include=contacts` returns them. */
export type EmbeddedContacts = {
  data: Array<Contact>;
  /** Whether the company has others. */
  more: boolean;
};

/** The contact as lists, POST and PUT answer it. */
export type Contact<Custom = CustomFields> = {
  id: number;
  /** The company that it belongs to. */
  company_id: number;
  /** Given name. */
  first_name: string;
  /** Family name. */
  last_name: string;
  /** Several contacts may have the same one. */
  email: string | null;
  /** Stored encrypted. */
  phone: string | null;
  /** Stored encrypted. */
  mobile: string | null;
  /** What the person does for your business, such as buyer. */
  position: string | null;
  /** The person's department at the company. */
  department: string | null;
  /** The person's title, as on a business card. */
  job_title: string | null;
  /** Not exclusive: a company may have several primary contacts. */
  is_primary: boolean;
  /** Whether the person decides about purchases. */
  is_decision_maker: boolean;
  /** The language to write in, as a code such as `ro` or `en`. It is not checked. */
  preferred_language: string;
  /** For your colleagues. Free text. */
  notes: string | null;
  /** The day of birth. */
  birth_date: string | null;
  /** In your own words; it is not checked. */
  gender: string | null;
  /** An IANA name such as `Europe/Bucharest`. It is not checked. */
  timezone: string | null;
  /** The values of the workspace's custom fields by key, in their order. Write them as `custom`. */
  metadata: Partial<Custom> | null;
  /** The last call, e-mail or meeting with the person. Set by activities, not through the API. */
  last_contacted_at: string | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  /** Always null: a deleted resource is in no answer. */
  deleted_at: string | null;
  /** `first_name`, a space, `last_name`. */
  full_name: string;
  external?: ExternalIds;
};

/** The ids that other systems gave to the resource, by source. Only with `include=external`. */
export type ExternalIds = Record<string, string>;

/** The addresses of the company, at most 100, in the order of their list. Only GET with `include=addresses` returns them. */
export type EmbeddedAddresses = {
  data: Array<Address>;
  /** Whether the company has others. */
  more: boolean;
};

/** The address as lists, POST and PUT answer it. */
export type Address = {
  id: number;
  /** The company that it belongs to. */
  company_id: number;
  /** What the address is for. */
  type: AddressType;
  /** A short name for people, such as "Main warehouse". */
  label: string | null;
  /** Street and number. */
  address: string;
  /** City. */
  city: string | null;
  /** County or region. */
  county: string | null;
  /** Default: the tenant's country. */
  country: string;
  /** Postal code. */
  postal_code: string | null;
  /** The person to ask for at this address. */
  contact_name: string | null;
  /** Stored encrypted. */
  phone: string | null;
  /** For each delivery to this address. Free text. */
  delivery_notes: string | null;
  /** Not exclusive: a company may have several default addresses. */
  is_default: boolean;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  /** Always null: a deleted resource is in no answer. */
  deleted_at: string | null;
  external?: ExternalIds;
};

export type AddressType = "fiscal" | "billing" | "delivery" | "office" | "other";

/** The invoices of the company, at most 100, in the order of their list. Only GET with `include=invoices` returns them. */
export type EmbeddedInvoices = {
  data: Array<InvoiceItem>;
  /** Whether the company has others. */
  more: boolean;
};

/** The invoice as lists answer it. */
export type InvoiceItem<Custom = CustomFields> = {
  /** In their order. Lines that are sent replace all lines of the invoice. */
  lines?: Array<InvoiceLine>;
  id: number;
  /** The company that it belongs to. */
  company_id: number;
  /** The invoice's number. Unique among the invoices of the tenant. `a-1` and `A-1` are two numbers. */
  number: string;
  /** The day on which it was issued. */
  issued_on: string | null;
  /** The day by which it has to be paid. */
  due_on: string | null;
  /** The amount of the whole invoice. It is not compared with the lines. A new invoice whose lines have VAT rates gets their net and VAT together, unless it is sent. */
  total: string | null;
  /** A code such as `RON` or `EUR`. It is not checked. */
  currency: string | null;
  /** The state of the invoice itself; `wms` has that of its order. */
  status: InvoiceStatus;
  /** The address of the company to which the goods go. Null: its default delivery address, otherwise its first one, otherwise the company's own. */
  delivery_address_id: number | null;
  /** The state of the invoice on its way to the warehouse, and its order there. */
  wms: InvoiceWms;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  /** The sum of the lines without VAT. Answered with lines, if one of them has a VAT rate. */
  net?: string;
  /** The VAT of the lines, rounded for each rate. Answered with `net`. */
  vat?: string;
  /** The cancelled invoice that this one replaces. Answered where there is one. */
  corrects_id?: number;
  /** The sum of the invoice's payments. Answered if it has some. */
  paid?: string;
  /** `total` without `paid`; negative if too much was paid; null without a total. Answered with `paid`. */
  left?: string | null;
  /** The values of the workspace's custom fields by key, in their order. Write them as `custom`. */
  metadata?: Partial<Custom> | null;
  external?: ExternalIds;
};

export type InvoiceLine = {
  /** The article's number in the warehouse. */
  sku: string | null;
  /** What is sold. */
  description: string;
  /** How many of it. */
  quantity: string;
  /** The price of one. */
  unit_price: string;
  /** What the quantity counts. A line without one has no such member. */
  unit?: string | null;
  /** The VAT of the line, in percent. A line without VAT has no such member. */
  vat_rate?: string | null;
};

export type InvoiceStatus = "draft" | "issued" | "paid" | "cancelled";

export type InvoiceWms = {
  state: InvoiceWmsState;
  /** Hostname of the warehouse management system. With `order_id` it identifies the order. */
  instance: string | null;
  order_id: number | null;
  /** For display; not unique. */
  order_number: string | null;
  /** The WMS's own word; new values may appear. */
  status: string | null;
  /** UTC, with microseconds. */
  synced_at: string | null;
  /** What is wrong, as a sentence for people. */
  error: string | null;
};

export type InvoiceWmsState = "not_sent" | "queued" | "sending" | "unknown" | "sent" | "failed";

export type UserRef = {
  id: number;
  name: string;
};

export type CompanyTerms = {
  /** The days from an invoice's issue until it is due. Null: those of the workspace. */
  payment_days: number | null;
  /** How much the company may owe, in the currency of its invoices. Null: no limit. */
  credit_limit: string | null;
};

export type CompanyCursorPage<Custom = CustomFields> = {
  data: Array<Company<Custom>>;
  /** The `cursor` of the next page. Null at the end. */
  next_cursor: string | null;
  per_page: number;
};

export type ApiError = {
  error: string;
};

export type ValidationFailed = {
  error: "Validation failed.";
  /** The failing fields, in the order of the fields' table, each with its messages. */
  errors: Record<string, Array<string>>;
  /** Of a webhook's `types`, the events that there are. */
  details?: string;
};

/** The fields of a new company. Null and `""` mean: not given. Unknown and read-only fields are ignored. */
export type CompanyCreate<Custom = CustomFields> = {
  /** The company's name, as on its invoices. */
  name: string;
  /** Fiscal id. Unique among the tenant's companies, compared without case. */
  tax_id?: string | null;
  /** Trade-registry number. */
  registration_number?: string | null;
  /** The industry, in your own words. */
  industry?: string | null;
  /** Stored as it was sent; it need not be a URL. */
  website?: string | null;
  /** Stored encrypted. */
  phone?: string | null;
  /** The company's own e-mail address, not that of a person. */
  email?: string | null;
  /** Street and number of the head office. Other places are addresses of the company. */
  address?: string | null;
  /** City of the head office. */
  city?: string | null;
  /** County or region of the head office. */
  county?: string | null;
  /** Default: the tenant's country. */
  country?: string | null;
  /** Postal code of the head office. */
  postal_code?: string | null;
  /** The state of the business relationship. `churned` is a former customer. Default: `prospect`. */
  status?: CompanyStatus | null;
  /** Internal status code inherited from a legacy system. */
  status_code?: number | null;
  /** Id of an active user of the tenant. */
  assigned_to?: number | null;
  /** For your colleagues. Free text. */
  notes?: string | null;
  /** Name of the company that manages this one. */
  managing_company?: string | null;
  /** Number of employees. */
  employee_count?: number | null;
  /** Registered field of activity. */
  activity_domain?: string | null;
  /** The registered address, in one line. */
  fiscal_address?: string | null;
  /** For each delivery to the company. Free text. */
  delivery_notes?: string | null;
  /** The day on which somebody should call the company. A date-time is accepted too; its date part is taken as written. */
  callback_date?: string | null;
  terms?: CompanyTermsCreate;
  external?: ExternalIdChanges;
  custom?: CustomValues<Custom>;
  /** Whether to change nothing, and only return what would happen. Default: false. */
  dry_run?: boolean;
};

export type CompanyTermsCreate = {
  /** The days from an invoice's issue until it is due. Null: those of the workspace. */
  payment_days?: number | null;
  /** How much the company may owe, in the currency of its invoices. Null: no limit. A JSON number is accepted too. */
  credit_limit?: string | null;
};

/** The ids that other systems gave to the resource, by source: up to 10. An id is unique for its source among the resources of this type. Sources that are not sent stay; null or `""` removes one. Answers have it only with `include=external`. */
export type ExternalIdChanges = Record<string, string | null>;

/** The values of a workspace's own fields, by key. */
export type CustomFields = Record<string, string | number | boolean>;

/** Values of the workspace's custom fields by key; null removes one. Answers have them as `metadata`. */
export type CustomValues<Custom = CustomFields> = { [Key in keyof Custom]?: Custom[Key] | null } | null;

export type TriedCompanyResponse = {
  data: TriedCompany;
  /** In a dry run, at most five stored ones that look like a new one, the sure ones first. */
  alike: Array<AlikeTo>;
};

/** A company that a dry run did not create. */
export type TriedCompany<Custom = CustomFields> = {
  contacts?: EmbeddedContacts;
  addresses?: EmbeddedAddresses;
  invoices?: EmbeddedInvoices;
  /** None. */
  id: 0;
  /** The company's name, as on its invoices. */
  name: string;
  /** Fiscal id. Unique among the tenant's companies, compared without case. */
  tax_id: string | null;
  /** Trade-registry number. */
  registration_number: string | null;
  /** The industry, in your own words. */
  industry: string | null;
  /** Stored as it was sent; it need not be a URL. */
  website: string | null;
  /** Stored encrypted. */
  phone: string | null;
  /** The company's own e-mail address, not that of a person. */
  email: string | null;
  /** Street and number of the head office. Other places are addresses of the company. */
  address: string | null;
  /** City of the head office. */
  city: string | null;
  /** County or region of the head office. */
  county: string | null;
  /** Default: the tenant's country. */
  country: string;
  /** Postal code of the head office. */
  postal_code: string | null;
  /** The state of the business relationship. `churned` is a former customer. */
  status: CompanyStatus;
  /** Internal status code inherited from a legacy system. */
  status_code: number | null;
  /** Id of an active user of the tenant. */
  assigned_to: number | null;
  /** For your colleagues. Free text. */
  notes: string | null;
  /** Name of the company that manages this one. */
  managing_company: string | null;
  /** Number of employees. */
  employee_count: number | null;
  /** Registered field of activity. */
  activity_domain: string | null;
  /** The registered address, in one line. */
  fiscal_address: string | null;
  /** For each delivery to the company. Free text. */
  delivery_notes: string | null;
  /** The day on which somebody should call the company. */
  callback_date: string | null;
  /** The company's warehouse system. Set in the web interface only. */
  wms_subdomain: string | null;
  /** The values of the workspace's custom fields by key, in their order. Write them as `custom`. */
  metadata: Partial<Custom> | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  /** Always null: a deleted resource is in no answer. */
  deleted_at: string | null;
  /** The user that `assigned_to` names. */
  assigned_user: UserRef | null;
  /** Only with `include=terms`. */
  terms?: CompanyTerms;
  external?: ExternalIds;
};

export type AlikeTo = {
  id: number;
  name: string;
  /** `tax_id`, `phone`, `email_domain` or `name`. */
  evidence: Array<string>;
};

export type CompanyResponse = {
  data: Company;
};

export type TaxIdTaken = {
  error: "Company with this tax_id already exists.";
  /** The company that has the `tax_id`. */
  data: TaxIdHolder;
};

export type TaxIdHolder = {
  id: number;
  name: string;
  tax_id: string;
};

export type CompanyExternalIdTaken = {
  error: "Another company has this external id.";
  /** The company that has the external id. */
  data: ExternalIdHolder;
};

export type ExternalIdHolder = {
  id: number;
  source: string;
  external_id: string;
};

export type CompanyDetailsResponse = {
  data: CompanyDetails;
};

/** A single company, as GET answers it. */
export type CompanyDetails<Custom = CustomFields> = {
  contacts?: EmbeddedContacts;
  addresses?: EmbeddedAddresses;
  invoices?: EmbeddedInvoices;
  id: number;
  /** The company's name, as on its invoices. */
  name: string;
  /** Fiscal id. Unique among the tenant's companies, compared without case. */
  tax_id: string | null;
  /** Trade-registry number. */
  registration_number: string | null;
  /** The industry, in your own words. */
  industry: string | null;
  /** Stored as it was sent; it need not be a URL. */
  website: string | null;
  /** Stored encrypted. */
  phone: string | null;
  /** The company's own e-mail address, not that of a person. */
  email: string | null;
  /** Street and number of the head office. Other places are addresses of the company. */
  address: string | null;
  /** City of the head office. */
  city: string | null;
  /** County or region of the head office. */
  county: string | null;
  /** Default: the tenant's country. */
  country: string;
  /** Postal code of the head office. */
  postal_code: string | null;
  /** The state of the business relationship. `churned` is a former customer. */
  status: CompanyStatus;
  /** Internal status code inherited from a legacy system. */
  status_code: number | null;
  /** Id of an active user of the tenant. */
  assigned_to: number | null;
  /** For your colleagues. Free text. */
  notes: string | null;
  /** Name of the company that manages this one. */
  managing_company: string | null;
  /** Number of employees. */
  employee_count: number | null;
  /** Registered field of activity. */
  activity_domain: string | null;
  /** The registered address, in one line. */
  fiscal_address: string | null;
  /** For each delivery to the company. Free text. */
  delivery_notes: string | null;
  /** The day on which somebody should call the company. */
  callback_date: string | null;
  /** The company's warehouse system. Set in the web interface only. */
  wms_subdomain: string | null;
  /** The values of the workspace's custom fields by key, in their order. Write them as `custom`. */
  metadata: Partial<Custom> | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  /** Always null: a deleted resource is in no answer. */
  deleted_at: string | null;
  /** The user that `assigned_to` names. */
  assigned_user: UserRef | null;
  /** Contacts that are not deleted. */
  contacts_count: number;
  /** Addresses that are not deleted. */
  addresses_count: number;
  /** Only with `include=terms`. */
  terms?: CompanyTerms;
  external?: ExternalIds;
};

export type NotFound = {
  message: string;
};

/** The fields to change. Absent fields stay as they are; null or `""` clears a field that may be null. Unknown and read-only fields are ignored. */
export type CompanyUpdate<Custom = CustomFields> = {
  /** The company's name, as on its invoices. */
  name?: string;
  /** Fiscal id. Unique among the tenant's companies, compared without case. */
  tax_id?: string | null;
  /** Trade-registry number. */
  registration_number?: string | null;
  /** The industry, in your own words. */
  industry?: string | null;
  /** Stored as it was sent; it need not be a URL. */
  website?: string | null;
  /** Stored encrypted. */
  phone?: string | null;
  /** The company's own e-mail address, not that of a person. */
  email?: string | null;
  /** Street and number of the head office. Other places are addresses of the company. */
  address?: string | null;
  /** City of the head office. */
  city?: string | null;
  /** County or region of the head office. */
  county?: string | null;
  /** Default: the tenant's country. */
  country?: string;
  /** Postal code of the head office. */
  postal_code?: string | null;
  /** The state of the business relationship. `churned` is a former customer. */
  status?: CompanyStatus;
  /** Internal status code inherited from a legacy system. */
  status_code?: number | null;
  /** Id of an active user of the tenant. */
  assigned_to?: number | null;
  /** For your colleagues. Free text. */
  notes?: string | null;
  /** Name of the company that manages this one. */
  managing_company?: string | null;
  /** Number of employees. */
  employee_count?: number | null;
  /** Registered field of activity. */
  activity_domain?: string | null;
  /** The registered address, in one line. */
  fiscal_address?: string | null;
  /** For each delivery to the company. Free text. */
  delivery_notes?: string | null;
  /** The day on which somebody should call the company. A date-time is accepted too; its date part is taken as written. */
  callback_date?: string | null;
  terms?: CompanyTermsUpdate;
  external?: ExternalIdChanges;
  custom?: CustomValues<Custom>;
};

export type CompanyTermsUpdate = {
  /** The days from an invoice's issue until it is due. Null: those of the workspace. */
  payment_days?: number | null;
  /** How much the company may owe, in the currency of its invoices. Null: no limit. A JSON number is accepted too. */
  credit_limit?: string | null;
};

export type Message = {
  message: string;
};

export type DeletionBlocked = {
  error: "Cannot delete company with related records.";
  /** The kinds in the way, among invoices, offers, deals, tickets and subscriptions, in that order. */
  details: string;
};

export type ErrorWithDetails = {
  error: string;
  details: string;
};

export type ChangePage = {
  /** The requested page, also beyond the last one. */
  current_page: number;
  data: Array<Change>;
  /** Absolute, with the list's other parameters. */
  first_page_url: string;
  /** The position of the page's first item. Null on an empty page. */
  from: number | null;
  last_page: number;
  /** Absolute, with the list's other parameters. */
  last_page_url: string;
  /** Null on the last page, and beyond it. */
  next_page_url: string | null;
  /** The list's address without its query. */
  path: string;
  per_page: number;
  /** Null on the first page. */
  prev_page_url: string | null;
  /** The position of the page's last item. Null on an empty page. */
  to: number | null;
  /** Items of all pages; exact. */
  total: number;
};

/** The effect of one write on one resource. */
export type Change = {
  id: number;
  /** UTC, with microseconds. */
  at: string;
  type: ChangeType;
  resource_id: number;
  /** The company that the resource belongs to. For a company, its own id; null for a custom field. */
  company_id: number | null;
  action: ChangeAction;
  /** The changed fields by their names. A creation has those with a value. A deletion or restoration has none. */
  changed: Record<string, Difference>;
  /** The author of the change. */
  by: ChangeAuthor;
};

export type ChangeType = "company" | "contact" | "address" | "invoice" | "payment" | "custom_field";

export type ChangeAction = "created" | "updated" | "deleted" | "merged" | "restored" | "erased" | "hidden" | "shown";

/** The values before and after, as the API returns them. For encrypted fields and lists, only `changed`: true. */
export type Difference = DifferenceOfValues | DifferenceUntold;

export type DifferenceOfValues = {
  from: unknown;
  to: unknown;
};

export type DifferenceUntold = {
  changed: true;
};

export type ChangeAuthor = {
  kind: ChangeAuthorKind;
  /** Null unless `kind` is key or user. */
  id: number | null;
  /** The name as it is now. */
  name: string | null;
  /** Only if an assistant made the change. */
  via?: "mcp";
  /** Only if a user confirmed the assistant's change on the page. */
  confirmed_by?: ChangeConfirmer;
};

export type ChangeAuthorKind = "key" | "user" | "command" | "import" | "worker";

export type ChangeConfirmer = {
  id: number;
  name: string | null;
};

export type AlikePairCursorPage = {
  data: Array<AlikePair>;
  /** The `cursor` of the next page. Null at the end. */
  next_cursor: string | null;
  per_page: number;
};

export type AlikePair = {
  companies: Array<AlikeCompany>;
  evidence: Array<AlikeEvidence>;
  /** The same fiscal id, or the same phone and a similar name. Two fiscal ids are never a pair. */
  sure: boolean;
};

export type AlikeCompany = {
  id: number;
  name: string;
  tax_id: string | null;
  city: string | null;
};

export type AlikeEvidence = "tax_id" | "phone" | "email_domain" | "name";

export type CompanyMerge = {
  /** The company that goes into this one. */
  from: number;
  fields?: CompanyMergeChoices;
  /** True: answers the same, and changes nothing. */
  dry_run?: boolean | null;
};

/** Whose value a field gets: `keep` or `from`. A custom field is `custom.KEY`. */
export type CompanyMergeChoices = {
  name?: MergeChoice;
  tax_id?: MergeChoice;
  registration_number?: MergeChoice;
  industry?: MergeChoice;
  website?: MergeChoice;
  phone?: MergeChoice;
  email?: MergeChoice;
  address?: MergeChoice;
  city?: MergeChoice;
  county?: MergeChoice;
  country?: MergeChoice;
  postal_code?: MergeChoice;
  status?: MergeChoice;
  status_code?: MergeChoice;
  assigned_to?: MergeChoice;
  notes?: MergeChoice;
  managing_company?: MergeChoice;
  employee_count?: MergeChoice;
  activity_domain?: MergeChoice;
  fiscal_address?: MergeChoice;
  delivery_notes?: MergeChoice;
  callback_date?: MergeChoice;
  payment_days?: MergeChoice;
  credit_limit?: MergeChoice;
  [name: string]: MergeChoice | undefined;
};

export type MergeChoice = "keep" | "from";

export type CompanyMergeResponse = {
  data: Company;
  meta: CompanyMergeMeta;
};

export type CompanyMergeMeta = {
  /** For the undo. Null of a dry run. */
  merge_id: number | null;
  moved: CompanyMovedCounts;
};

/** The number of rows of each kind that moved. */
export type CompanyMovedCounts = {
  contacts: number;
  addresses: number;
  invoices: number;
  activities: number;
  planned_calls: number;
  offers: number;
  deals: number;
  tickets: number;
  subscriptions: number;
  payments: number;
};

export type ContactMerge = {
  /** The contact that goes into this one. */
  from: number;
  fields?: ContactMergeChoices;
  /** True: answers the same, and changes nothing. */
  dry_run?: boolean | null;
};

/** Whose value a field gets: `keep` or `from`. A custom field is `custom.KEY`. */
export type ContactMergeChoices = {
  first_name?: MergeChoice;
  last_name?: MergeChoice;
  email?: MergeChoice;
  phone?: MergeChoice;
  mobile?: MergeChoice;
  position?: MergeChoice;
  department?: MergeChoice;
  job_title?: MergeChoice;
  is_primary?: MergeChoice;
  is_decision_maker?: MergeChoice;
  preferred_language?: MergeChoice;
  notes?: MergeChoice;
  birth_date?: MergeChoice;
  gender?: MergeChoice;
  timezone?: MergeChoice;
  [name: string]: MergeChoice | undefined;
};

export type ContactMergeResponse = {
  data: Contact;
  meta: ContactMergeMeta;
};

export type ContactMergeMeta = {
  /** For the undo. Null of a dry run. */
  merge_id: number | null;
  moved: ContactMovedCounts;
};

/** The number of rows of each kind that moved. */
export type ContactMovedCounts = {
  activities: number;
  planned_calls: number;
};

export type MergeUndone = {
  restored: UndoneCounts;
  left: UndoneCounts;
};

/** The number of rows of each kind, and of values and external ids of the kept one (`fields`). */
export type UndoneCounts = {
  fields: number;
  contacts?: number;
  addresses?: number;
  invoices?: number;
  activities: number;
  planned_calls: number;
  offers?: number;
  deals?: number;
  tickets?: number;
  subscriptions?: number;
  payments?: number;
};

export type CompanyBatch = {
  items: Array<CompanyBatchItem>;
  /** Whether to change nothing, and only return what would happen. Default: false. */
  dry_run?: boolean;
};

/** The fields of a company, as in a single write. One that is found by `id` or, without one, by `external` or `tax_id` is updated: fields that are not sent stay as they are. Any other is created. */
export type CompanyBatchItem<Custom = CustomFields> = CompanyUpdate<Custom> & CompanyBatchTarget;

export type CompanyBatchTarget = {
  /** The company that is updated. */
  id?: number;
  /** Deletes the company that the item names. Its fields are ignored. */
  delete?: boolean;
  /** Restores the deleted company that the item names by its `id`. Its fields are ignored. */
  restore?: boolean;
};

export type BatchResponse = {
  created: number;
  updated: number;
  /** Items that changed nothing. */
  unchanged: number;
  /** Deleted resources. This member and `restored` are there only if an item has `delete` or `restore`. */
  deleted?: number;
  restored?: number;
  rejected: number;
  results: Array<BatchResult>;
};

export type BatchResult = {
  /** The place of the item in `items`, from 0. */
  index: number;
  outcome: BatchOutcome;
  /** Null if there is no such resource, or if only a dry run would create it. */
  id: number | null;
  /** The wrong fields with their messages, as a single write would return them. After 10,000 messages of all items, an item has only its first. */
  errors?: Record<string, Array<string>>;
  external?: ExternalIds;
  /** In a dry run, at most five stored ones that look like a new one, the sure ones first. */
  alike?: Array<AlikeTo>;
  /** Any other error that a single write would return, as its sentence. */
  error?: string;
  /** What prevents a deletion, as DELETE returns it. */
  details?: string;
};

export type BatchOutcome = "created" | "updated" | "unchanged" | "deleted" | "restored" | "rejected";

export type ContactPage<Custom = CustomFields> = {
  /** The requested page, also beyond the last one. */
  current_page: number;
  data: Array<Contact<Custom>>;
  /** Absolute, with the list's other parameters. */
  first_page_url: string;
  /** The position of the page's first item. Null on an empty page. */
  from: number | null;
  last_page: number;
  /** Absolute, with the list's other parameters. */
  last_page_url: string;
  /** Null on the last page, and beyond it. */
  next_page_url: string | null;
  /** The list's address without its query. */
  path: string;
  per_page: number;
  /** Null on the first page. */
  prev_page_url: string | null;
  /** The position of the page's last item. Null on an empty page. */
  to: number | null;
  /** Items of all pages; exact. */
  total: number;
};

export type ContactCursorPage<Custom = CustomFields> = {
  data: Array<Contact<Custom>>;
  /** The `cursor` of the next page. Null at the end. */
  next_cursor: string | null;
  per_page: number;
};

/** The fields of a new contact. Null and `""` mean: not given. Unknown and read-only fields are ignored. */
export type ContactCreate<Custom = CustomFields> = {
  /** Given name. */
  first_name: string;
  /** Family name. */
  last_name: string;
  /** Several contacts may have the same one. */
  email?: string | null;
  /** Stored encrypted. */
  phone?: string | null;
  /** Stored encrypted. */
  mobile?: string | null;
  /** What the person does for your business, such as buyer. */
  position?: string | null;
  /** The person's department at the company. */
  department?: string | null;
  /** The person's title, as on a business card. */
  job_title?: string | null;
  /** Not exclusive: a company may have several primary contacts. Default: `false`. */
  is_primary?: boolean | null;
  /** Whether the person decides about purchases. Default: `false`. */
  is_decision_maker?: boolean | null;
  /** The language to write in, as a code such as `ro` or `en`. It is not checked. Default: `ro`. */
  preferred_language?: string | null;
  /** For your colleagues. Free text. */
  notes?: string | null;
  /** The day of birth. A date-time is accepted too; its date part is taken as written. */
  birth_date?: string | null;
  /** In your own words; it is not checked. */
  gender?: string | null;
  /** An IANA name such as `Europe/Bucharest`. It is not checked. */
  timezone?: string | null;
  external?: ExternalIdChanges;
  custom?: CustomValues<Custom>;
};

export type ContactResponse = {
  data: Contact;
};

export type ContactExternalIdTaken = {
  error: "Another contact has this external id.";
  /** The contact that has the external id. */
  data: ExternalIdHolder;
};

export type ContactDetailsResponse = {
  data: ContactDetails;
};

/** A single contact, as GET answers it. */
export type ContactDetails<Custom = CustomFields> = {
  id: number;
  /** The company that it belongs to. */
  company_id: number;
  /** Given name. */
  first_name: string;
  /** Family name. */
  last_name: string;
  /** Several contacts may have the same one. */
  email: string | null;
  /** Stored encrypted. */
  phone: string | null;
  /** Stored encrypted. */
  mobile: string | null;
  /** What the person does for your business, such as buyer. */
  position: string | null;
  /** The person's department at the company. */
  department: string | null;
  /** The person's title, as on a business card. */
  job_title: string | null;
  /** Not exclusive: a company may have several primary contacts. */
  is_primary: boolean;
  /** Whether the person decides about purchases. */
  is_decision_maker: boolean;
  /** The language to write in, as a code such as `ro` or `en`. It is not checked. */
  preferred_language: string;
  /** For your colleagues. Free text. */
  notes: string | null;
  /** The day of birth. */
  birth_date: string | null;
  /** In your own words; it is not checked. */
  gender: string | null;
  /** An IANA name such as `Europe/Bucharest`. It is not checked. */
  timezone: string | null;
  /** The values of the workspace's custom fields by key, in their order. Write them as `custom`. */
  metadata: Partial<Custom> | null;
  /** The last call, e-mail or meeting with the person. Set by activities, not through the API. */
  last_contacted_at: string | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  /** Always null: a deleted resource is in no answer. */
  deleted_at: string | null;
  /** `first_name`, a space, `last_name`. */
  full_name: string;
  /** The company that it belongs to. */
  company: CompanyRef;
  external?: ExternalIds;
};

export type CompanyRef = {
  id: number;
  name: string;
};

/** The fields to change. Absent fields stay as they are; null or `""` clears a field that may be null. Unknown and read-only fields are ignored. */
export type ContactUpdate<Custom = CustomFields> = {
  /** Given name. */
  first_name?: string;
  /** Family name. */
  last_name?: string;
  /** Several contacts may have the same one. */
  email?: string | null;
  /** Stored encrypted. */
  phone?: string | null;
  /** Stored encrypted. */
  mobile?: string | null;
  /** What the person does for your business, such as buyer. */
  position?: string | null;
  /** The person's department at the company. */
  department?: string | null;
  /** The person's title, as on a business card. */
  job_title?: string | null;
  /** Not exclusive: a company may have several primary contacts. */
  is_primary?: boolean;
  /** Whether the person decides about purchases. */
  is_decision_maker?: boolean;
  /** The language to write in, as a code such as `ro` or `en`. It is not checked. */
  preferred_language?: string;
  /** For your colleagues. Free text. */
  notes?: string | null;
  /** The day of birth. A date-time is accepted too; its date part is taken as written. */
  birth_date?: string | null;
  /** In your own words; it is not checked. */
  gender?: string | null;
  /** An IANA name such as `Europe/Bucharest`. It is not checked. */
  timezone?: string | null;
  external?: ExternalIdChanges;
  custom?: CustomValues<Custom>;
};

export type ContactBatch = {
  items: Array<ContactBatchItem>;
  /** Whether to change nothing, and only return what would happen. Default: false. */
  dry_run?: boolean;
};

/** The fields of a contact, as in a single write. One that is found by `id` or by `external` is updated: fields that are not sent stay as they are. Any other is created. */
export type ContactBatchItem<Custom = CustomFields> = ContactUpdate<Custom> & ContactBatchTarget;

export type ContactBatchTarget = {
  /** The contact that is updated. */
  id?: number;
  /** The company of a new resource. */
  company_id?: number;
  /** The company of a new resource, by its `tax_id`. */
  company_tax_id?: string;
  /** The company of a new resource, by its external ids, in the form of `external`. */
  company_external?: Record<string, string | null>;
  /** Deletes the contact that the item names. Its fields are ignored. */
  delete?: boolean;
  /** Restores the deleted contact that the item names by its `id`. Its fields are ignored. */
  restore?: boolean;
};

export type ErasureReceipt = {
  erased: ErasedRows;
  /** The ids of the contacts that were merged into it, which are erased too. An older backup has them as contacts of their own. */
  merged: Array<number>;
  /** Uploaded files that contain the person, or may contain the person. They are removed automatically at `kept_until`. */
  files: Array<KeptImportFile>;
};

/** For each table, the number of rows that were removed or emptied. */
export type ErasedRows = {
  contacts: number;
  changes: number;
  activities: number;
  planned_calls: number;
  kept_answers: number;
  import_rows: number;
  last_opened: number;
  mails: number;
  merges: number;
};

export type KeptImportFile = {
  import_id: number;
  file_name: string;
  /** UTC, with microseconds. */
  kept_until: string;
};

export type AddressPage = {
  /** The requested page, also beyond the last one. */
  current_page: number;
  data: Array<Address>;
  /** Absolute, with the list's other parameters. */
  first_page_url: string;
  /** The position of the page's first item. Null on an empty page. */
  from: number | null;
  last_page: number;
  /** Absolute, with the list's other parameters. */
  last_page_url: string;
  /** Null on the last page, and beyond it. */
  next_page_url: string | null;
  /** The list's address without its query. */
  path: string;
  per_page: number;
  /** Null on the first page. */
  prev_page_url: string | null;
  /** The position of the page's last item. Null on an empty page. */
  to: number | null;
  /** Items of all pages; exact. */
  total: number;
};

export type AddressCursorPage = {
  data: Array<Address>;
  /** The `cursor` of the next page. Null at the end. */
  next_cursor: string | null;
  per_page: number;
};

/** The fields of a new address. Null and `""` mean: not given. Unknown and read-only fields are ignored. */
export type AddressCreate = {
  /** What the address is for. Default: `other`. */
  type?: AddressType | null;
  /** A short name for people, such as "Main warehouse". */
  label?: string | null;
  /** Street and number. */
  address: string;
  /** City. */
  city?: string | null;
  /** County or region. */
  county?: string | null;
  /** Default: the tenant's country. */
  country?: string | null;
  /** Postal code. */
  postal_code?: string | null;
  /** The person to ask for at this address. */
  contact_name?: string | null;
  /** Stored encrypted. */
  phone?: string | null;
  /** For each delivery to this address. Free text. */
  delivery_notes?: string | null;
  /** Not exclusive: a company may have several default addresses. Default: `false`. */
  is_default?: boolean | null;
  external?: ExternalIdChanges;
};

export type AddressResponse = {
  data: Address;
};

export type AddressExternalIdTaken = {
  error: "Another address has this external id.";
  /** The address that has the external id. */
  data: ExternalIdHolder;
};

export type AddressDetailsResponse = {
  data: AddressDetails;
};

/** A single address, as GET answers it. */
export type AddressDetails = {
  id: number;
  /** The company that it belongs to. */
  company_id: number;
  /** What the address is for. */
  type: AddressType;
  /** A short name for people, such as "Main warehouse". */
  label: string | null;
  /** Street and number. */
  address: string;
  /** City. */
  city: string | null;
  /** County or region. */
  county: string | null;
  /** Default: the tenant's country. */
  country: string;
  /** Postal code. */
  postal_code: string | null;
  /** The person to ask for at this address. */
  contact_name: string | null;
  /** Stored encrypted. */
  phone: string | null;
  /** For each delivery to this address. Free text. */
  delivery_notes: string | null;
  /** Not exclusive: a company may have several default addresses. */
  is_default: boolean;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  /** Always null: a deleted resource is in no answer. */
  deleted_at: string | null;
  /** The company that it belongs to. */
  company: CompanyRef;
  external?: ExternalIds;
};

/** The fields to change. Absent fields stay as they are; null or `""` clears a field that may be null. Unknown and read-only fields are ignored. */
export type AddressUpdate = {
  /** What the address is for. */
  type?: AddressType;
  /** A short name for people, such as "Main warehouse". */
  label?: string | null;
  /** Street and number. */
  address?: string;
  /** City. */
  city?: string | null;
  /** County or region. */
  county?: string | null;
  /** Default: the tenant's country. */
  country?: string;
  /** Postal code. */
  postal_code?: string | null;
  /** The person to ask for at this address. */
  contact_name?: string | null;
  /** Stored encrypted. */
  phone?: string | null;
  /** For each delivery to this address. Free text. */
  delivery_notes?: string | null;
  /** Not exclusive: a company may have several default addresses. */
  is_default?: boolean;
  external?: ExternalIdChanges;
};

export type AddressBatch = {
  items: Array<AddressBatchItem>;
  /** Whether to change nothing, and only return what would happen. Default: false. */
  dry_run?: boolean;
};

/** The fields of a address, as in a single write. One that is found by `id` or by `external` is updated: fields that are not sent stay as they are. Any other is created. */
export type AddressBatchItem = AddressUpdate & AddressBatchTarget;

export type AddressBatchTarget = {
  /** The address that is updated. */
  id?: number;
  /** The company of a new resource. */
  company_id?: number;
  /** The company of a new resource, by its `tax_id`. */
  company_tax_id?: string;
  /** The company of a new resource, by its external ids, in the form of `external`. */
  company_external?: Record<string, string | null>;
  /** Deletes the address that the item names. Its fields are ignored. */
  delete?: boolean;
  /** Restores the deleted address that the item names by its `id`. Its fields are ignored. */
  restore?: boolean;
};

export type InvoicePage<Custom = CustomFields> = {
  /** The requested page, also beyond the last one. */
  current_page: number;
  data: Array<InvoiceItem<Custom>>;
  /** Absolute, with the list's other parameters. */
  first_page_url: string;
  /** The position of the page's first item. Null on an empty page. */
  from: number | null;
  last_page: number;
  /** Absolute, with the list's other parameters. */
  last_page_url: string;
  /** Null on the last page, and beyond it. */
  next_page_url: string | null;
  /** The list's address without its query. */
  path: string;
  per_page: number;
  /** Null on the first page. */
  prev_page_url: string | null;
  /** The position of the page's last item. Null on an empty page. */
  to: number | null;
  /** Items of all pages; exact. */
  total: number;
};

export type InvoiceCursorPage<Custom = CustomFields> = {
  data: Array<InvoiceItem<Custom>>;
  /** The `cursor` of the next page. Null at the end. */
  next_cursor: string | null;
  per_page: number;
};

/** The fields of a new invoice. Null and `""` mean: not given. Unknown and read-only fields are ignored. */
export type InvoiceCreate<Custom = CustomFields> = {
  /** The invoice's number. Unique among the invoices of the tenant. `a-1` and `A-1` are two numbers. */
  number: string;
  /** The day on which it was issued. A date-time is accepted too; its date part is taken as written. */
  issued_on?: string | null;
  /** The day by which it has to be paid. A date-time is accepted too; its date part is taken as written. */
  due_on?: string | null;
  /** The amount of the whole invoice. It is not compared with the lines. A new invoice whose lines have VAT rates gets their net and VAT together, unless it is sent. A JSON number is accepted too. */
  total?: string | null;
  /** A code such as `RON` or `EUR`. It is not checked. */
  currency?: string | null;
  /** The state of the invoice itself; `wms` has that of its order. Default: `issued`. */
  status?: InvoiceStatus | null;
  /** The address of the company to which the goods go. Null: its default delivery address, otherwise its first one, otherwise the company's own. */
  delivery_address_id?: number | null;
  /** In their order. Lines that are sent replace all lines of the invoice. */
  lines?: Array<InvoiceLineInput> | null;
  external?: ExternalIdChanges;
  custom?: CustomValues<Custom>;
};

export type InvoiceLineInput = {
  /** The article's number in the warehouse. */
  sku?: string | null;
  /** What is sold. */
  description: string;
  /** How many of it. A JSON number is accepted too. */
  quantity: string;
  /** The price of one. A JSON number is accepted too. */
  unit_price: string;
  /** What the quantity counts. A line without one has no such member. */
  unit?: string | null;
  /** The VAT of the line, in percent. A line without VAT has no such member. A JSON number is accepted too. */
  vat_rate?: string | null;
};

export type InvoiceResponse = {
  data: Invoice;
};

/** The invoice as POST and PUT answer it. */
export type Invoice<Custom = CustomFields> = {
  /** In their order. Lines that are sent replace all lines of the invoice. */
  lines: Array<InvoiceLine>;
  id: number;
  /** The company that it belongs to. */
  company_id: number;
  /** The invoice's number. Unique among the invoices of the tenant. `a-1` and `A-1` are two numbers. */
  number: string;
  /** The day on which it was issued. */
  issued_on: string | null;
  /** The day by which it has to be paid. */
  due_on: string | null;
  /** The amount of the whole invoice. It is not compared with the lines. A new invoice whose lines have VAT rates gets their net and VAT together, unless it is sent. */
  total: string | null;
  /** A code such as `RON` or `EUR`. It is not checked. */
  currency: string | null;
  /** The state of the invoice itself; `wms` has that of its order. */
  status: InvoiceStatus;
  /** The address of the company to which the goods go. Null: its default delivery address, otherwise its first one, otherwise the company's own. */
  delivery_address_id: number | null;
  /** The state of the invoice on its way to the warehouse, and its order there. */
  wms: InvoiceWms;
  delivered_to: InvoiceDelivery | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  /** The sum of the lines without VAT. Answered with lines, if one of them has a VAT rate. */
  net?: string;
  /** The VAT of the lines, rounded for each rate. Answered with `net`. */
  vat?: string;
  /** The cancelled invoice that this one replaces. Answered where there is one. */
  corrects_id?: number;
  /** The sum of the invoice's payments. Answered if it has some. */
  paid?: string;
  /** `total` without `paid`; negative if too much was paid; null without a total. Answered with `paid`. */
  left?: string | null;
  /** The values of the workspace's custom fields by key, in their order. Write them as `custom`. */
  metadata?: Partial<Custom> | null;
  external?: ExternalIds;
};

export type InvoiceDelivery = {
  name: string | null;
  address: string | null;
  city: string | null;
  county: string | null;
  country: string | null;
  postal_code: string | null;
  phone: string | null;
  notes: string | null;
};

export type InvoiceNumberTaken = {
  error: "Invoice with this number already exists.";
  /** The invoice that has the `number`. */
  data: NumberHolder;
};

export type NumberHolder = {
  id: number;
  number: string;
  company_id: number;
};

export type InvoiceExternalIdTaken = {
  error: "Another invoice has this external id.";
  /** The invoice that has the external id. */
  data: ExternalIdHolder;
};

export type InvoiceDetailsResponse = {
  data: InvoiceDetails;
};

/** A single invoice, as GET answers it. */
export type InvoiceDetails<Custom = CustomFields> = {
  /** In their order. Lines that are sent replace all lines of the invoice. */
  lines: Array<InvoiceLine>;
  id: number;
  /** The company that it belongs to. */
  company_id: number;
  /** The invoice's number. Unique among the invoices of the tenant. `a-1` and `A-1` are two numbers. */
  number: string;
  /** The day on which it was issued. */
  issued_on: string | null;
  /** The day by which it has to be paid. */
  due_on: string | null;
  /** The amount of the whole invoice. It is not compared with the lines. A new invoice whose lines have VAT rates gets their net and VAT together, unless it is sent. */
  total: string | null;
  /** A code such as `RON` or `EUR`. It is not checked. */
  currency: string | null;
  /** The state of the invoice itself; `wms` has that of its order. */
  status: InvoiceStatus;
  /** The address of the company to which the goods go. Null: its default delivery address, otherwise its first one, otherwise the company's own. */
  delivery_address_id: number | null;
  /** The state of the invoice on its way to the warehouse, and its order there. */
  wms: InvoiceWms;
  delivered_to: InvoiceDelivery | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  /** The company that it belongs to. */
  company: CompanyRef;
  /** The sum of the lines without VAT. Answered with lines, if one of them has a VAT rate. */
  net?: string;
  /** The VAT of the lines, rounded for each rate. Answered with `net`. */
  vat?: string;
  /** The cancelled invoice that this one replaces. Answered where there is one. */
  corrects_id?: number;
  /** The sum of the invoice's payments. Answered if it has some. */
  paid?: string;
  /** `total` without `paid`; negative if too much was paid; null without a total. Answered with `paid`. */
  left?: string | null;
  /** The values of the workspace's custom fields by key, in their order. Write them as `custom`. */
  metadata?: Partial<Custom> | null;
  external?: ExternalIds;
};

/** The fields to change. Absent fields stay as they are; null or `""` clears a field that may be null. Unknown and read-only fields are ignored. */
export type InvoiceUpdate<Custom = CustomFields> = {
  /** The invoice's number. Unique among the invoices of the tenant. `a-1` and `A-1` are two numbers. */
  number?: string;
  /** The day on which it was issued. A date-time is accepted too; its date part is taken as written. */
  issued_on?: string | null;
  /** The day by which it has to be paid. A date-time is accepted too; its date part is taken as written. */
  due_on?: string | null;
  /** The amount of the whole invoice. It is not compared with the lines. A new invoice whose lines have VAT rates gets their net and VAT together, unless it is sent. A JSON number is accepted too. */
  total?: string | null;
  /** A code such as `RON` or `EUR`. It is not checked. */
  currency?: string | null;
  /** The state of the invoice itself; `wms` has that of its order. */
  status?: InvoiceStatus;
  /** The address of the company to which the goods go. Null: its default delivery address, otherwise its first one, otherwise the company's own. */
  delivery_address_id?: number | null;
  /** In their order. Lines that are sent replace all lines of the invoice. */
  lines?: Array<InvoiceLineInput>;
  external?: ExternalIdChanges;
  custom?: CustomValues<Custom>;
};

export type InvoiceBatch = {
  items: Array<InvoiceBatchItem>;
  /** Whether to change nothing, and only return what would happen. Default: false. */
  dry_run?: boolean;
};

/** The fields of a invoice, as in a single write. One that is found by `id` or, without one, by `external` or `number` is updated: fields that are not sent stay as they are. Any other is created. */
export type InvoiceBatchItem<Custom = CustomFields> = InvoiceUpdate<Custom> & InvoiceBatchTarget;

export type InvoiceBatchTarget = {
  /** The invoice that is updated. */
  id?: number;
  /** The company of a new resource. */
  company_id?: number;
  /** The company of a new resource, by its `tax_id`. */
  company_tax_id?: string;
  /** The company of a new resource, by its external ids, in the form of `external`. */
  company_external?: Record<string, string | null>;
};

export type PaymentPage = {
  /** The requested page, also beyond the last one. */
  current_page: number;
  data: Array<Payment>;
  /** Absolute, with the list's other parameters. */
  first_page_url: string;
  /** The position of the page's first item. Null on an empty page. */
  from: number | null;
  last_page: number;
  /** Absolute, with the list's other parameters. */
  last_page_url: string;
  /** Null on the last page, and beyond it. */
  next_page_url: string | null;
  /** The list's address without its query. */
  path: string;
  per_page: number;
  /** Null on the first page. */
  prev_page_url: string | null;
  /** The position of the page's last item. Null on an empty page. */
  to: number | null;
  /** Items of all pages; exact. */
  total: number;
};

/** The payment as lists, POST and PUT answer it. */
export type Payment = {
  id: number;
  /** The invoice that it pays. */
  invoice_id: number;
  /** The company of the invoice. */
  company_id: number;
  /** In the invoice's currency. Not 0; a negative amount is a refund. */
  amount: string;
  /** The day of the payment. Default: today, in the workspace's time zone. */
  paid_on: string | null;
  /** How it was paid. */
  means: PaymentMeans;
  /** The number of its document, such as a payment order. */
  reference: string | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  external?: ExternalIds;
};

export type PaymentMeans = "bank" | "cash" | "card" | "set_off" | "other";

export type PaymentCursorPage = {
  data: Array<Payment>;
  /** The `cursor` of the next page. Null at the end. */
  next_cursor: string | null;
  per_page: number;
};

/** The fields of a new payment. Null and `""` mean: not given. Unknown and read-only fields are ignored. */
export type PaymentCreate = {
  /** In the invoice's currency. Not 0; a negative amount is a refund. A JSON number is accepted too. */
  amount: string;
  /** The day of the payment. Default: today, in the workspace's time zone. A date-time is accepted too; its date part is taken as written. */
  paid_on?: string | null;
  /** How it was paid. Default: `other`. */
  means?: PaymentMeans | null;
  /** The number of its document, such as a payment order. */
  reference?: string | null;
  external?: ExternalIdChanges;
};

export type PaymentResponse = {
  data: Payment;
};

export type PaymentExternalIdTaken = {
  error: "Another payment has this external id.";
  /** The payment that has the external id. */
  data: ExternalIdHolder;
};

export type PaymentDetailsResponse = {
  data: PaymentDetails;
};

/** A single payment, as GET answers it. */
export type PaymentDetails = {
  id: number;
  /** The invoice that it pays. */
  invoice_id: number;
  /** The company of the invoice. */
  company_id: number;
  /** In the invoice's currency. Not 0; a negative amount is a refund. */
  amount: string;
  /** The day of the payment. Default: today, in the workspace's time zone. */
  paid_on: string | null;
  /** How it was paid. */
  means: PaymentMeans;
  /** The number of its document, such as a payment order. */
  reference: string | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  external?: ExternalIds;
};

export type PaymentBatch = {
  items: Array<PaymentBatchItem>;
  /** Whether to change nothing, and only return what would happen. Default: false. */
  dry_run?: boolean;
};

/** The fields of a payment, as in a single write. One with a known external id is unchanged or rejected, and one with an `id` is rejected. */
export type PaymentBatchItem = PaymentCreate & PaymentBatchTarget;

export type PaymentBatchTarget = {
  /** The invoice that is paid. */
  invoice_id?: number;
  /** Its number, instead of `invoice_id`. */
  invoice_number?: string;
};

export type WmsOrderPage = {
  /** The requested page, also beyond the last one. */
  current_page: number;
  data: Array<WmsOrder>;
  per_page: number;
  /** Items of all pages; exact. */
  total: number;
};

/** The link between an invoice and the order that it became in a warehouse management system. */
export type WmsOrder = {
  crm_invoice_id: number;
  crm_invoice_number: string;
  company: WmsOrderCompany;
  wms: WmsOrderLink;
};

export type WmsOrderCompany = {
  id: number;
  /** The company's current tax id, which the WMS has as `client_cui`. Compare it to confirm the client. */
  tax_id: string | null;
};

export type WmsOrderLink = {
  /** Hostname of the WMS, stored when the order was created. With `order_id` it identifies the order. Null if the order is older than this field: check such an order by hand before you rely on it. */
  instance: string | null;
  order_id: number;
  /** For display; not unique. */
  order_number: string | null;
  /** The WMS's own word; new values may appear. */
  status: string | null;
  /** UTC, with microseconds. */
  synced_at: string | null;
};

export type ReceivablesResponse = {
  data: Receivables;
};

export type Receivables = {
  day: string;
  totals: Array<ReceivablesOfCurrency>;
  companies: Array<ReceivablesOfCompany>;
  /** The number of companies of all pages, each once for a currency. */
  total: number;
  page: number;
  per_page: number;
};

export type ReceivablesOfCurrency = {
  currency: string | null;
  /** The sum of the rests of invoices, without amounts that were paid too much. */
  owed: string;
  /** The part whose day of payment has passed. */
  overdue: string;
  not_due: string;
  days_1_30: string;
  days_31_60: string;
  days_61_90: string;
  days_over_90: string;
  /** What was paid beyond totals, and of cancelled invoices. */
  paid_too_much: string;
  /** The number of open invoices. */
  invoices: number;
  companies: number;
};

export type ReceivablesOfCompany = {
  company_id: number;
  name: string;
  assigned_to: number | null;
  currency: string | null;
  /** The sum of the rests of invoices, without amounts that were paid too much. */
  owed: string;
  /** The part whose day of payment has passed. */
  overdue: string;
  not_due: string;
  days_1_30: string;
  days_31_60: string;
  days_61_90: string;
  days_over_90: string;
  /** What was paid beyond totals, and of cancelled invoices. */
  paid_too_much: string;
  /** The number of open invoices. */
  invoices: number;
  /** The due day that is overdue the longest. */
  oldest_due_on: string | null;
};

export type SalesResponse = {
  data: Sales;
};

export type Sales = {
  from: string | null;
  to: string | null;
  from_before: string | null;
  to_before: string | null;
  by: SalesDimension;
  unit: SalesUnit;
  totals: Array<SalesOfCurrency>;
  columns: Array<SalesColumn>;
  /** Null by `product` for over 200000 invoices, those of the year before included. */
  rows: Array<SalesRow> | null;
  left_out: SalesLeftOut;
  /** The number of rows of all pages. */
  total: number | null;
  page: number;
  per_page: number;
};

export type SalesDimension = "company" | "owner" | "product" | "city" | "month" | null;

/** What a column is. */
export type SalesUnit = "week" | "month" | "year" | null;

export type SalesOfCurrency = {
  currency: string | null;
  sold: string;
  /** In the same days of the year before. */
  sold_before: string;
  invoices: number;
  invoices_before: number;
  companies: number;
  companies_before: number;
  /** Companies whose first invoice is of these days. */
  new_companies: number;
  new_companies_before: number;
  average: string | null;
  average_before: string | null;
};

export type SalesColumn = {
  currency: string | null;
  from: string;
  sold: string;
  /** In the same days of the year before. */
  sold_before: string;
};

export type SalesRow = {
  /** The id of a company or owner, a SKU, a city, or a month. Null: without one. */
  key: string | null;
  /** The name of a company, or a product's description. */
  name: string | null;
  currency: string | null;
  sold: string;
  /** In the same days of the year before. */
  sold_before: string;
  difference: string;
  invoices: number;
  invoices_before: number;
  /** In percent of all rows of the currency. */
  share: string | null;
  /** The newest invoice of a company without any in the period. */
  last_issued_on: string | null;
};

export type SalesLeftOut = {
  drafts: number;
  cancelled: number;
  /** Invoices without a day of issue, of any period. */
  undated: number;
};

export type MeResponse = {
  data: Me;
};

export type Me = {
  tenant: MeTenant;
  key: MeKey;
  /** The version of the server. */
  version: string;
  /** Its commit. Null: unknown. */
  commit: string | null;
};

export type MeTenant = {
  slug: string;
  name: string;
};

export type MeKey = {
  id: number;
  name: string;
  /** As they were given to the key. `:write` includes `:read`. */
  capabilities: Array<string>;
  /** The addresses and networks that may use the key. Empty: all. */
  allow_ip: Array<string>;
  /** Null: never. */
  expires_at: string | null;
  /** Requests per minute. Null: no limit. */
  limit: number | null;
  /** Requests left in this minute. Null: no limit. */
  remaining: number | null;
};

export type CustomFieldPage = {
  /** The requested page, also beyond the last one. */
  current_page: number;
  data: Array<CustomField>;
  /** Absolute, with the list's other parameters. */
  first_page_url: string;
  /** The position of the page's first item. Null on an empty page. */
  from: number | null;
  last_page: number;
  /** Absolute, with the list's other parameters. */
  last_page_url: string;
  /** Null on the last page, and beyond it. */
  next_page_url: string | null;
  /** The list's address without its query. */
  path: string;
  per_page: number;
  /** Null on the first page. */
  prev_page_url: string | null;
  /** The position of the page's last item. Null on an empty page. */
  to: number | null;
  /** Items of all pages; exact. */
  total: number;
};

/** The custom field as lists, POST and PUT answer it. */
export type CustomField = {
  id: number;
  /** The records that have the field. It cannot be changed. */
  noun: CustomFieldNoun;
  /** Its name in `custom` and `metadata`: small letters, digits and `_`, and a letter first. By default made of the label. It cannot be changed. */
  key: string | null;
  /** Its name on pages. Unique among the fields of its noun, compared without case and accents. */
  label: string;
  /** `text` has at most 1,000 characters; `number` at most 15 digits, 6 of them behind the point. It cannot be changed. */
  kind: CustomFieldKind;
  /** The values of a `choice`. An update has every option that records use: such an option is archived, not removed. */
  options: Array<CustomFieldOption>;
  /** A line below the input. */
  help: string | null;
  /** Its place among the fields of its noun. Default: the last. */
  position: number | null;
  /** An archived field is not shown, accepted or answered. Its values stay. */
  archived: boolean;
  /** When it was archived. */
  archived_at: string | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
};

export type CustomFieldNoun = "company" | "contact" | "invoice";

export type CustomFieldKind = "text" | "number" | "date" | "yes_no" | "choice";

export type CustomFieldOption = {
  /** As records have it. */
  value: string;
  /** On pages. Default: the value. */
  label: string | null;
  /** Whether records keep it and no other gets it. */
  archived: boolean | null;
};

/** The fields of a new custom field. Null and `""` mean: not given. Unknown and read-only fields are ignored. */
export type CustomFieldCreate = {
  /** The records that have the field. It cannot be changed. */
  noun: CustomFieldNoun;
  /** Its name in `custom` and `metadata`: small letters, digits and `_`, and a letter first. By default made of the label. It cannot be changed. */
  key?: string | null;
  /** Its name on pages. Unique among the fields of its noun, compared without case and accents. */
  label: string;
  /** `text` has at most 1,000 characters; `number` at most 15 digits, 6 of them behind the point. It cannot be changed. */
  kind: CustomFieldKind;
  /** The values of a `choice`. An update has every option that records use: such an option is archived, not removed. */
  options?: Array<CustomFieldOptionInput> | null;
  /** A line below the input. */
  help?: string | null;
  /** Its place among the fields of its noun. Default: the last. */
  position?: number | null;
  /** An archived field is not shown, accepted or answered. Its values stay. Default: `false`. */
  archived?: boolean | null;
};

export type CustomFieldOptionInput = {
  /** As records have it. */
  value: string;
  /** On pages. Default: the value. */
  label?: string | null;
  /** Whether records keep it and no other gets it. */
  archived?: boolean | null;
};

export type CustomFieldResponse = {
  data: CustomField;
};

export type CustomFieldDetailsResponse = {
  data: CustomFieldDetails;
};

/** A single custom field, as GET answers it. */
export type CustomFieldDetails = {
  id: number;
  /** The records that have the field. It cannot be changed. */
  noun: CustomFieldNoun;
  /** Its name in `custom` and `metadata`: small letters, digits and `_`, and a letter first. By default made of the label. It cannot be changed. */
  key: string | null;
  /** Its name on pages. Unique among the fields of its noun, compared without case and accents. */
  label: string;
  /** `text` has at most 1,000 characters; `number` at most 15 digits, 6 of them behind the point. It cannot be changed. */
  kind: CustomFieldKind;
  /** The values of a `choice`. An update has every option that records use: such an option is archived, not removed. */
  options: Array<CustomFieldOption>;
  /** A line below the input. */
  help: string | null;
  /** Its place among the fields of its noun. Default: the last. */
  position: number | null;
  /** An archived field is not shown, accepted or answered. Its values stay. */
  archived: boolean;
  /** When it was archived. */
  archived_at: string | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
};

/** The fields to change. Absent fields stay as they are; null or `""` clears a field that may be null. Unknown and read-only fields are ignored. */
export type CustomFieldUpdate = {
  /** The records that have the field. It cannot be changed. */
  noun?: CustomFieldNoun;
  /** Its name in `custom` and `metadata`: small letters, digits and `_`, and a letter first. By default made of the label. It cannot be changed. */
  key?: string | null;
  /** Its name on pages. Unique among the fields of its noun, compared without case and accents. */
  label?: string;
  /** `text` has at most 1,000 characters; `number` at most 15 digits, 6 of them behind the point. It cannot be changed. */
  kind?: CustomFieldKind;
  /** The values of a `choice`. An update has every option that records use: such an option is archived, not removed. */
  options?: Array<CustomFieldOptionInput>;
  /** A line below the input. */
  help?: string | null;
  /** Its place among the fields of its noun. Default: the last. */
  position?: number | null;
  /** An archived field is not shown, accepted or answered. Its values stay. */
  archived?: boolean;
};

export type ChangeFeedPage = {
  data: Array<FeedChange>;
  /** The `after` of the next request. It is always there. */
  next: string;
  /** Whether to send the next request at once. `data` may be empty even then. */
  more: boolean;
};

export type FeedChange = {
  id: number;
  /** UTC, with microseconds. */
  at: string;
  type: ChangeType;
  resource_id: number;
  /** The company that the resource belongs to. For a company, its own id; null for a custom field. */
  company_id: number | null;
  action: ChangeAction;
  /** The changed fields by their names. A creation has those with a value. A deletion or restoration has none. */
  changed: Record<string, Difference>;
  /** The author of the change. */
  by: ChangeAuthor;
  /** With `include=resource`: the resource as GET returns it now; null if it is deleted. */
  resource?: Record<string, unknown> | null;
};

export type WebhookPage = {
  /** The requested page, also beyond the last one. */
  current_page: number;
  data: Array<Webhook>;
  /** Absolute, with the list's other parameters. */
  first_page_url: string;
  /** The position of the page's first item. Null on an empty page. */
  from: number | null;
  last_page: number;
  /** Absolute, with the list's other parameters. */
  last_page_url: string;
  /** Null on the last page, and beyond it. */
  next_page_url: string | null;
  /** The list's address without its query. */
  path: string;
  per_page: number;
  /** Null on the first page. */
  prev_page_url: string | null;
  /** The position of the page's last item. Null on an empty page. */
  to: number | null;
  /** Items of all pages; exact. */
  total: number;
};

/** The webhook as lists, POST and PUT answer it. */
export type Webhook = {
  id: number;
  /** The address that messages are sent to: `http` or `https`, without a user name. Stored as a URL parser writes it. */
  url: string;
  /** The events that it receives; `*` means all of them. */
  types: Array<WebhookType>;
  /** Whether messages are sent. */
  active: boolean;
  /** A name for people, such as the program that receives the messages. */
  description: string | null;
  /** The first failure since the last success. */
  failing_since: string | null;
  switched_off: WebhookSwitchedOff | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  /** `full` adds the resource to each change, as GET answers it when the message is sent. It needs the capabilities to read companies, contacts, addresses and invoices. */
  body?: WebhookBody;
  /** Whether it receives events of contacts and addresses that are hidden or shown with their company. */
  children?: boolean;
};

export type WebhookType = "*" | "company.created" | "company.updated" | "company.deleted" | "company.merged" | "company.restored" | "contact.created" | "contact.updated" | "contact.deleted" | "contact.merged" | "contact.restored" | "contact.erased" | "address.created" | "address.updated" | "address.deleted" | "address.restored" | "invoice.created" | "invoice.updated" | "invoice.deleted" | "payment.created" | "payment.updated" | "payment.deleted" | "custom_field.created" | "custom_field.updated" | "custom_field.deleted" | "contact.hidden" | "contact.shown" | "address.hidden" | "address.shown" | "invoice.order_created" | "invoice.order_moved" | "invoice.order_final" | "invoice.order_cancelled" | "invoice.order_lost";

export type WebhookSwitchedOff = "gone" | "failing";

export type WebhookBody = "change" | "full";

/** The fields of a new webhook. Null and `""` mean: not given. Unknown and read-only fields are ignored. */
export type WebhookCreate = {
  /** The address that messages are sent to: `http` or `https`, without a user name. Stored as a URL parser writes it. */
  url: string;
  /** The events that it receives; `*` means all of them. Default: `["*"]`. */
  types?: Array<WebhookType> | null;
  /** Whether messages are sent. Default: `true`. */
  active?: boolean | null;
  /** A name for people, such as the program that receives the messages. */
  description?: string | null;
  /** `full` adds the resource to each change, as GET answers it when the message is sent. It needs the capabilities to read companies, contacts, addresses and invoices. Default: `change`. */
  body?: WebhookBody | null;
  /** Whether it receives events of contacts and addresses that are hidden or shown with their company. Default: `false`. */
  children?: boolean | null;
};

export type WebhookWithSecretResponse = {
  data: WebhookWithSecret;
};

/** A webhook with its secret, which no other answer has. */
export type WebhookWithSecret = {
  id: number;
  /** The address that messages are sent to: `http` or `https`, without a user name. Stored as a URL parser writes it. */
  url: string;
  /** The events that it receives; `*` means all of them. */
  types: Array<WebhookType>;
  /** Whether messages are sent. */
  active: boolean;
  /** A name for people, such as the program that receives the messages. */
  description: string | null;
  /** The first failure since the last success. */
  failing_since: string | null;
  switched_off: WebhookSwitchedOff | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  /** The secret that signs the messages. Only this answer shows it. */
  secret: string;
  /** `full` adds the resource to each change, as GET answers it when the message is sent. It needs the capabilities to read companies, contacts, addresses and invoices. */
  body?: WebhookBody;
  /** Whether it receives events of contacts and addresses that are hidden or shown with their company. */
  children?: boolean;
};

export type WebhookDetailsResponse = {
  data: WebhookDetails;
};

/** A single webhook, as GET answers it. */
export type WebhookDetails = {
  id: number;
  /** The address that messages are sent to: `http` or `https`, without a user name. Stored as a URL parser writes it. */
  url: string;
  /** The events that it receives; `*` means all of them. */
  types: Array<WebhookType>;
  /** Whether messages are sent. */
  active: boolean;
  /** A name for people, such as the program that receives the messages. */
  description: string | null;
  /** The first failure since the last success. */
  failing_since: string | null;
  switched_off: WebhookSwitchedOff | null;
  /** UTC, with microseconds. */
  created_at: string;
  /** When a stored value last changed. UTC, with microseconds. */
  updated_at: string;
  /** `full` adds the resource to each change, as GET answers it when the message is sent. It needs the capabilities to read companies, contacts, addresses and invoices. */
  body?: WebhookBody;
  /** Whether it receives events of contacts and addresses that are hidden or shown with their company. */
  children?: boolean;
};

/** The fields to change. Absent fields stay as they are; null or `""` clears a field that may be null. Unknown and read-only fields are ignored. */
export type WebhookUpdate = {
  /** The address that messages are sent to: `http` or `https`, without a user name. Stored as a URL parser writes it. */
  url?: string;
  /** The events that it receives; `*` means all of them. */
  types?: Array<WebhookType>;
  /** Whether messages are sent. */
  active?: boolean;
  /** A name for people, such as the program that receives the messages. */
  description?: string | null;
  /** `full` adds the resource to each change, as GET answers it when the message is sent. It needs the capabilities to read companies, contacts, addresses and invoices. */
  body?: WebhookBody;
  /** Whether it receives events of contacts and addresses that are hidden or shown with their company. */
  children?: boolean;
};

export type WebhookResponse = {
  data: Webhook;
};

export type WebhookDeliveryResponse = {
  data: WebhookDelivery;
};

/** A change on its way to a webhook. */
export type WebhookDelivery = {
  id: number;
  /** The change. Its id is in the message's `webhook-id`. Null for a test. */
  change_id: number | null;
  type: WebhookDeliveryType;
  /** Attempts so far. */
  attempts: number;
  /** The status of the receiver's last answer. */
  last_status: number | null;
  /** Why the last attempt failed, as a sentence. */
  last_error: string | null;
  /** UTC, with microseconds. */
  delivered_at: string | null;
  /** When the next attempt is made. Null if the message is delivered or given up. */
  next_at: string | null;
  /** UTC, with microseconds. */
  created_at: string;
};

export type WebhookDeliveryType = "webhook.test" | "company.created" | "company.updated" | "company.deleted" | "company.merged" | "company.restored" | "contact.created" | "contact.updated" | "contact.deleted" | "contact.merged" | "contact.restored" | "contact.erased" | "address.created" | "address.updated" | "address.deleted" | "address.restored" | "invoice.created" | "invoice.updated" | "invoice.deleted" | "payment.created" | "payment.updated" | "payment.deleted" | "custom_field.created" | "custom_field.updated" | "custom_field.deleted" | "contact.hidden" | "contact.shown" | "address.hidden" | "address.shown" | "invoice.order_created" | "invoice.order_moved" | "invoice.order_final" | "invoice.order_cancelled" | "invoice.order_lost";

export type WebhookDeliveryPage = {
  /** The requested page, also beyond the last one. */
  current_page: number;
  data: Array<WebhookDelivery>;
  /** Absolute, with the list's other parameters. */
  first_page_url: string;
  /** The position of the page's first item. Null on an empty page. */
  from: number | null;
  last_page: number;
  /** Absolute, with the list's other parameters. */
  last_page_url: string;
  /** Null on the last page, and beyond it. */
  next_page_url: string | null;
  /** The list's address without its query. */
  path: string;
  per_page: number;
  /** Null on the first page. */
  prev_page_url: string | null;
  /** The position of the page's last item. Null on an empty page. */
  to: number | null;
  /** Items of all pages; exact. */
  total: number;
};

export type ChangeMessage = {
  type: string;
  /** UTC, with microseconds. */
  timestamp: string;
  data: ChangeOfMessage;
};

export type ChangeOfMessage = {
  id: number;
  /** UTC, with microseconds. */
  at: string;
  type: ChangeType;
  resource_id: number;
  /** The company that the resource belongs to. For a company, its own id; null for a custom field. */
  company_id: number | null;
  action: ChangeAction;
  /** The changed fields by their names. A creation has those with a value. A deletion or restoration has none. */
  changed: Record<string, Difference>;
  /** The author of the change. */
  by: ChangeAuthor;
  /** With `body: full`: the resource as GET answered it when the message was sent; null if it was gone. */
  resource?: Record<string, unknown> | null;
};

export type OrderMessage = {
  type: string;
  /** UTC, with microseconds. */
  timestamp: string;
  data: OrderChange;
};

export type OrderChange = {
  id: number;
  /** UTC, with microseconds. */
  at: string;
  type: ChangeType;
  resource_id: number;
  /** The company that the resource belongs to. For a company, its own id; null for a custom field. */
  company_id: number | null;
  action: ChangeAction;
  /** The changed fields by their names. A creation has those with a value. A deletion or restoration has none. */
  changed: Record<string, Difference>;
  /** The author of the change. */
  by: ChangeAuthor;
  order: EventOrder;
  /** With `body: full`: the resource as GET answered it when the message was sent; null if it was gone. */
  resource?: Record<string, unknown> | null;
};

export type EventOrder = {
  /** The warehouse. */
  instance: string | null;
  order_id: number | null;
  order_number: string | null;
  /** The status that the change left. */
  status: string | null;
  /** The status before the change. */
  previous: string | null;
};

export type TestMessage = {
  type: string;
  timestamp: string;
  data: TestMessageData;
};

export type TestMessageData = {
  webhook_id: number;
};

export type ServerFailure = {
  message: string;
};
