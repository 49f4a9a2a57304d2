import { childReference } from "../company-children/child-reference.ts";
import { address } from "./address.ts";

/** The words of the addresses' endpoints. */
export const addressReference = childReference(address, {
  tag: { name: "Addresses", description: "The places of a company." },
  singular: "address",
  order: "default addresses first, then ascending `id`",
  change: { label: "Second warehouse", contact_name: null },
  readOnly: {},
});
