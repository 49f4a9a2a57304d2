import type { ColumnName, Secrets } from "../encryption/keyring.ts";
import { encryptedFields, type FieldTable } from "./fields.ts";
import type { Value, Values } from "./validation.ts";

/** Sets the defaults of fields that a create omitted or sent as null. */
export function withDefaults(fields: FieldTable, values: Values, tenantCountry: string): Values {
  const filled: Values = { ...values };
  for (const field of fields) {
    if (field.default === undefined || (filled[field.name] ?? null) !== null) continue;
    filled[field.name] = typeof field.default === "symbol" ? tenantCountry : (field.default as Value);
  }
  return filled;
}

/** The stored values of a row's encrypted fields, by field. */
export type Ciphertexts = Readonly<Record<string, string | null>>;

/**
 * The values as they are stored: encrypted if the field requires it. An unchanged value keeps its ciphertext, because
 * each encryption differs and an update to the same value must change nothing. A stored value that does not decrypt is
 * replaced.
 * @param stored the stored values, for an update; a new row has none
 */
export function encryptValues(
  fields: FieldTable,
  table: string,
  values: Values,
  { keyring, tenant }: Secrets,
  stored: Ciphertexts = {},
): Values {
  const encrypted = { ...values };
  for (const { name } of encryptedFields(fields)) {
    const clear = values[name];
    if (typeof clear !== "string") continue;
    const before = stored[name] ?? null;
    const column: ColumnName = `${table}.${name}`;
    encrypted[name] =
      before !== null && keyring.reveal(tenant, column, before) === clear
        ? before
        : keyring.encryptPhone(tenant, column, clear);
  }
  return encrypted;
}

/** Whether an update sends a value for an encrypted field. */
export function sendsEncrypted(fields: FieldTable, values: Values): boolean {
  return encryptedFields(fields).some(({ name }) => typeof values[name] === "string");
}
