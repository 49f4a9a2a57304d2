import type { Delivery, OrderIn } from "./warehouse-client.ts";

/** ORDER_IN of the contract (docs/wms.md 3), as JSON. */
export function orderRequest(order: OrderIn): string {
  return JSON.stringify({
    external_order_id: order.externalOrderId,
    external_source: order.externalSource,
    invoice_reference: order.invoiceReference,
    client_cui: order.clientCui,
    client_name: order.clientName,
    issued_on: order.issuedOn,
    currency: order.currency,
    total: order.total,
    delivery: deliveryDocument(order.delivery),
    lines: order.lines.map(({ position, sku, description, quantity, unitPrice }) => ({
      position,
      sku,
      description,
      quantity,
      unit_price: unitPrice,
    })),
  });
}

/** The delivery of ORDER_IN, which an invoice keeps once it is sent. */
export type DeliveryDocument = ReturnType<typeof deliveryDocument>;

export function deliveryDocument({ name, address, city, county, country, postalCode, phone, notes }: Delivery) {
  return { name, address, city, county, country, postal_code: postalCode, phone, notes };
}
