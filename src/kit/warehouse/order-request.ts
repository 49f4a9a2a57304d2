import type { OrderIn } from "./warehouse-client.ts";

/** ORDER_IN of the contract (docs/wms.md 3), as JSON. */
export function orderRequest(order: OrderIn): string {
  const { delivery } = order;
  return JSON.stringify({
    external_order_id: order.externalOrderId,
    external_source: order.externalSource,
    invoice_reference: order.invoiceReference,
    client_cui: order.clientCui,
    client_name: order.clientName,
    issued_on: order.issuedOn,
    currency: order.currency,
    total: order.total,
    delivery: {
      name: delivery.name,
      address: delivery.address,
      city: delivery.city,
      county: delivery.county,
      country: delivery.country,
      postal_code: delivery.postalCode,
      phone: delivery.phone,
      notes: delivery.notes,
    },
    lines: order.lines.map(({ position, sku, description, quantity, unitPrice }) => ({
      position,
      sku,
      description,
      quantity,
      unit_price: unitPrice,
    })),
  });
}
