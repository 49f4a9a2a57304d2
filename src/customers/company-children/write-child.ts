import type { Actor } from "../../kit/actor.ts";
import type { Store } from "../../kit/deps.ts";
import { externalConstraints } from "../../kit/external-ids/external-id-queries.ts";
import { draftOf, draftOfUpdate, refusal, storable } from "../../platform/fields/draft.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import { sendsEncrypted } from "../../platform/fields/stored-values.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { storeUnique } from "../../platform/postgres/taken.ts";
import { companyExists } from "../companies/company-queries.ts";
import { customTableOf } from "../custom-fields/defined-fields.ts";
import { storedValues } from "../custom-fields/stored-values-queries.ts";
import { childQueries } from "./child-queries.ts";
import type { Child } from "./child.ts";

/** The outcome of a create or an update. For a create, `missing` means the company. */
export type ChildWritten =
  | { outcome: "written"; row: Row }
  | { outcome: "missing" }
  | { outcome: "invalid"; messages: FieldErrors };

export type WriteChild = {
  /** Creates a child of a company. */
  create(store: Store, actor: Actor, companyId: string, input: Input): Promise<ChildWritten>;
  /**
   * Changes only the fields that were sent, if the child has one of the expected versions; the statement checks this.
   * `outdated`: it has none of them.
   */
  update(
    store: Store,
    actor: Actor,
    id: string,
    input: Input,
    expected?: Expected,
  ): Promise<ChildWritten | { outcome: "outdated" }>;
};

/** The creates and updates of a kind of child; `row` is in the format of childJson. */
export function writeChild(child: Child): WriteChild {
  const queries = childQueries(child);
  const { changeType } = child;

  return {
    async create({ database, keyring }, actor, companyId, input) {
      const { tenant } = actor;
      const draft = draftOf(child, input, "create", await customTableOf(tenant, database, child));
      if (draft.messages !== null) return refusal(draft.messages, await companyExists(tenant, database, companyId));
      const values = storable(child, draft, { keyring, tenant }, actor);
      const insert = async () => asWritten(await queries.insert(tenant, database, companyId, values));
      return await storeUnique(insert, externalConstraints(tenant, database, { type: changeType, id: null, values }));
    },

    async update({ database, keyring }, actor, id, input, expected = null) {
      const { tenant } = actor;
      const custom = await customTableOf(tenant, database, child);
      // Of the children, only contacts have custom fields.
      const stored = async () => await storedValues.contact(tenant, database, id);
      const draft = await draftOfUpdate(child, input, custom, stored);
      if (draft.messages !== null) return refusal(draft.messages, await queries.exists(tenant, database, id));
      // An unchanged encrypted value keeps its ciphertext, so the stored one is read if such a value was sent.
      const sendsSecret = sendsEncrypted(child.fields, draft.values);
      const ciphertexts = sendsSecret ? await queries.findCiphertexts(tenant, database, id) : {};
      if (ciphertexts === null) return { outcome: "missing" };
      const values = storable(child, draft, { keyring, tenant }, actor, ciphertexts);
      const update = async () => asWritten(await queries.update(tenant, database, id, values, expected));
      const unique = externalConstraints(tenant, database, { type: changeType, id, values });
      const written = await storeUnique(update, unique);
      if (written.outcome !== "missing" || expected === null) return written;
      return { outcome: (await queries.exists(tenant, database, id)) ? "outdated" : "missing" };
    },
  };
}

function asWritten(row: Row | null): ChildWritten {
  return row === null ? { outcome: "missing" } : { outcome: "written", row };
}
