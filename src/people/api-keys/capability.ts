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
  "custom-fields:read",
  "custom-fields:write",
] as const;

export type Capability = (typeof capabilities)[number];

export type CapabilityArea = Capability extends `${infer Area}:${string}` ? Area : never;

export function areaOf(capability: Capability): CapabilityArea {
  return capability.slice(0, capability.indexOf(":")) as CapabilityArea;
}

export function isCapability(text: string): text is Capability {
  return (capabilities as readonly string[]).includes(text);
}

/** The records with custom fields: their readers also read the definitions. */
const WITH_FIELDS: ReadonlySet<string> = new Set(["companies:read", "contacts:read", "invoices:read"]);

/**
 * The listed capabilities with those that they imply: `area:write` implies `area:read`, and reading records with custom
 * fields implies reading the definitions.
 */
export function withImplied(listed: readonly string[]): Set<Capability> {
  const all = listed.flatMap((name) => [name, name.replace(/:write$/, ":read")]);
  const fields = all.some((name) => WITH_FIELDS.has(name)) ? ["custom-fields:read"] : [];
  return new Set([...all, ...fields].filter(isCapability));
}
