import type { FieldTable } from "./fields.ts";
import type { Keyring, ColumnName } from "./encryption.ts";
import type { Parameter, Row } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";
import type { Value, Values } from "./validation.ts";

/** SQL fragments and parameters from a field table. Names come from our own tables only, never from a request. */

/** `c.name, c.tax_id, ...` */
export function columnsOf(names: readonly string[], alias: string): string {
  return names.map((name) => `${alias}.${name}`).join(", ");
}

export function namesOf(fields: FieldTable): string[] {
  return fields.map(({ name }) => name);
}

/** `$4, $5, ...`: one parameter per field. */
export function parametersOf(fields: FieldTable, firstParameter: number): string {
  return fields.map((_, index) => `$${firstParameter + index}`).join(", ");
}

/**
 * The SET list of a partial update in one prepared statement: bit n of the mask parameter says whether field n is
 * among those sent. `updated_at` stays as it was when no stored value changes (decisions 2).
 */
export function assignmentsOf(fields: FieldTable, maskParameter: number, firstParameter: number): string {
  const sent = (index: number) => `$${maskParameter}::bigint & ${2 ** index} <> 0`;
  const assignments = fields.map(
    ({ name }, index) => `${name} = case when ${sent(index)} then $${firstParameter + index} else ${name} end`,
  );
  const changes = fields.map(
    ({ name }, index) => `${sent(index)} and ${name} is distinct from $${firstParameter + index}`,
  );
  // clock_timestamp(): a transaction that waited for another began before the other's change.
  assignments.push(`updated_at = case when ${changes.join(" or ")} then clock_timestamp() else updated_at end`);
  return assignments.join(",\n  ");
}

/** The mask and the values for assignmentsOf(), in the order of the fields. */
export function updateParameters(fields: FieldTable, values: Values): Parameter[] {
  const mask = fields.reduce((bits, { name }, index) => (name in values ? bits + 2 ** index : bits), 0);
  return [mask, ...insertParameters(fields, values)];
}

/** A value per field, in the order of the fields; null for what is not there. */
export function insertParameters(fields: FieldTable, values: Values): Parameter[] {
  return fields.map(({ name }) => values[name] ?? null);
}

/** What encrypting and decrypting a tenant's values takes. */
export type Secrets = { keyring: Keyring; tenant: TenantId };

/**
 * The values as they are stored: encrypted where the field says so. A value that is stored already keeps its
 * ciphertext (each encryption differs), so that an update to the same value changes nothing.
 * @param stored the encrypted fields' stored values, in the order of the fields; empty for a new row
 */
export function encryptValues(
  fields: FieldTable,
  table: string,
  values: Values,
  { keyring, tenant }: Secrets,
  stored: Row = [],
): Values {
  const encrypted = { ...values };
  for (const [index, { name }] of encryptedFields(fields).entries()) {
    const clear = values[name];
    if (typeof clear !== "string") continue;
    const before = stored[index] ?? null;
    const column: ColumnName = `${table}.${name}`;
    encrypted[name] =
      before !== null && keyring.decrypt(tenant, column, before) === clear
        ? before
        : keyring.encrypt(tenant, column, clear);
  }
  return encrypted;
}

export function encryptedFields(fields: FieldTable): FieldTable {
  return fields.filter(({ encrypted }) => encrypted);
}

/** Whether an update sends a value for a field that is stored encrypted. */
export function sendsEncrypted(fields: FieldTable, values: Values): boolean {
  return encryptedFields(fields).some(({ name }) => typeof values[name] === "string");
}

/** Fills in the defaults of what a create left out or sent as null. */
export function withDefaults(fields: FieldTable, values: Values, tenantCountry: string): Values {
  const filled: Values = { ...values };
  for (const field of fields) {
    if (field.default === undefined || (filled[field.name] ?? null) !== null) continue;
    filled[field.name] = typeof field.default === "symbol" ? tenantCountry : (field.default as Value);
  }
  return filled;
}
