import type { Config } from "../../../kit/config.ts";
import type { Deps } from "../../../kit/deps.ts";
import type { Job } from "../../../kit/jobs/job.ts";
import type { OrderIn, OrderLine, Pair } from "../../../kit/warehouse/warehouse-client.ts";
import { storedLines } from "../../invoices/invoice.ts";
import type { InvoiceToSend } from "./sending-queries.ts";

/** An invoice as a warehouse gets it (docs/wms.md 3). */
export function orderIn({ config, keyring }: Deps, { tenant, subject }: Job, invoice: InvoiceToSend): OrderIn {
  const phoneColumn = invoice.isDelivery === "t" ? "addresses.phone" : "companies.phone";
  return {
    ...pairOf(config, String(invoice.slug), subject),
    invoiceReference: String(invoice.number),
    clientCui: invoice.taxId,
    clientName: String(invoice.companyName),
    issuedOn: invoice.issuedOn,
    currency: invoice.currency,
    total: invoice.total,
    delivery: {
      name: invoice.contactName ?? invoice.companyName,
      address: invoice.address,
      city: invoice.city,
      county: invoice.county,
      country: invoice.country,
      postalCode: invoice.postalCode,
      phone: invoice.phone === null ? null : keyring.reveal(tenant, phoneColumn, invoice.phone),
      notes: invoice.notes,
    },
    lines: linesOf(invoice.lines),
  };
}

/** The name of a tenant's invoice for every warehouse. */
export function pairOf(config: Config, slug: string, invoiceId: string): Pair {
  return { externalSource: sourceOf(config, slug), externalOrderId: invoiceId };
}

/** The source under which a tenant of this installation sends. */
export function sourceOf({ wms }: Config, slug: string): string {
  return `${wms.source}/${slug}`;
}

/** Numbered from 1, whatever positions a file gave them. */
function linesOf(stored: string | null): OrderLine[] {
  return storedLines(stored).map(({ sku = null, description, quantity, unit_price }, index) => ({
    position: index + 1,
    sku,
    description,
    quantity,
    unitPrice: unit_price,
  }));
}
