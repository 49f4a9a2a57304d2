/** Every capability, `<area>:<action>` (docs/contract.md 2.4). */
export const capabilities = [
  "companies:read",
  "companies:write",
  "contacts:read",
  "contacts:write",
  "contacts:erase",
  "addresses:read",
  "addresses:write",
  "invoices:read",
  "invoices:write",
  "payments:read",
  "payments:write",
  "reports:read",
  "wms-orders:read",
  "wms-orders:write",
  "changes:read",
  "webhooks:read",
  "webhooks:write",
] as const;

export type Capability = (typeof capabilities)[number];

export type CapabilityArea = Capability extends `${infer Area}:${string}` ? Area : never;

export function areaOf(capability: Capability): CapabilityArea {
  return capability.slice(0, capability.indexOf(":")) as CapabilityArea;
}

export function isCapability(text: string): text is Capability {
  return (capabilities as readonly string[]).includes(text);
}

/** The listed capabilities with those that they imply: `area:write` implies `area:read`. */
export function withImplied(listed: readonly string[]): Set<Capability> {
  return new Set(listed.flatMap((name) => [name, name.replace(/:write$/, ":read")]).filter(isCapability));
}
