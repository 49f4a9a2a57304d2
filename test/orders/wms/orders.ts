import type { OrderIn } from "../../../src/kit/warehouse/warehouse-client.ts";

/** The order of an invoice, told apart by its id. */
export function orderOf(id: number): OrderIn {
  return {
    externalSource: "liaison/acme",
    externalOrderId: String(id),
    invoiceReference: `INV-${id}`,
    clientCui: `RO${id}`,
    clientName: "Dacia Tools SRL",
    issuedOn: "2026-11-20",
    currency: "RON",
    total: "1250.00",
    delivery: {
      name: "Ana Pop-Secretă",
      address: "Str. Lungă 1",
      city: "Brașov",
      county: "Brașov",
      country: "Romania",
      postalCode: "500001",
      phone: "+40 721 555 100",
      notes: null,
    },
    lines: [{ position: 1, sku: "B-8", description: "Bolts M8", quantity: "250", unitPrice: "5.00" }],
  };
}
