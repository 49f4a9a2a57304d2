import type { OrderIn } from "../../../src/kit/warehouse/warehouse-client.ts";

/** An order for tests that only look at its outcome. */
export const orderOfNothing: OrderIn = {
  externalOrderId: "1",
  externalSource: "liaison/a",
  invoiceReference: "F1",
  clientCui: null,
  clientName: "A",
  issuedOn: null,
  currency: null,
  total: null,
  delivery: {
    name: null,
    address: null,
    city: null,
    county: null,
    country: null,
    postalCode: null,
    phone: null,
    notes: null,
  },
  lines: [],
};
