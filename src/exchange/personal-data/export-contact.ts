import { childJson } from "../../customers/company-children/child-json.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { customSecrets } from "../../customers/custom-fields/defined-fields.ts";
import type { Store } from "../../kit/deps.ts";
import { storedAnswer } from "../../kit/stored-answers/sealed-answer.ts";
import { wholeAnswers } from "../../kit/stored-answers/stored-answer-queries.ts";
import { isoTimestamp } from "../../platform/dates.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { activitiesOf, answerIdsOf, AT_ONCE, plannedCallsOf, changesOf, importsOf } from "./export-contact-queries.ts";
import { findingMerged, findPerson, storedFilesOf } from "./personal-data-queries.ts";

const json = childJson(contact);

type ContactSecrets = Awaited<ReturnType<typeof customSecrets>>;

/**
 * All stored data of a person, as parts of one JSON object (docs/operations.md 3.2), with the contacts that were merged
 * into this one; null for an unknown contact.
 */
export async function exportContact(
  store: Store,
  tenant: TenantId,
  id: string,
): Promise<AsyncGenerator<string> | null> {
  const { database } = store;
  const row = await findPerson(tenant, database, id);
  if (row === null) return null;
  const secrets = await customSecrets(store, tenant, contact);
  return (async function* () {
    yield* dataOf(database, secrets, id, row);
    let before = "";
    yield `,"merged":[`;
    const [merged = []] = await database.slow.readAll(tenant, [findingMerged(id)]);
    for (const other of merged.map(([each]) => String(each))) {
      const stored = await findPerson(tenant, database, other);
      if (stored === null) continue;
      yield before;
      yield* dataOf(database, secrets, other, stored);
      before = "},";
    }
    yield before === "" ? "]}\n" : "}]}\n";
  })();
}

/** The members of one contact, without the end of their object. */
async function* dataOf(database: Database, secrets: ContactSecrets, id: string, row: Row): AsyncGenerator<string> {
  const { tenant } = secrets;
  yield `{"contact":${json.withCompany(row, secrets)}`;
  yield* list("activities", activitiesOf(tenant, database, id));
  yield* list("planned_calls", plannedCallsOf(tenant, database, id));
  yield* list("changes", changesOf(tenant, database, id));
  yield* list("kept_answers", answersOf(database, secrets, id));
  yield `,"imports":${JSON.stringify(await importsOf(tenant, database, id))}`;
  yield `,"files":${JSON.stringify(await storedFilesOf(tenant, database, id))}`;
}

/** Saved answers for retries, which contain the contact as it was written. */
async function* answersOf(database: Database, secrets: Secrets, id: string): AsyncGenerator<string[]> {
  const ids = await answerIdsOf(secrets.tenant, database, id);
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const answers = await wholeAnswers(secrets.tenant, database, ids.slice(from, from + AT_ONCE));
    yield answers.map((kept) => {
      const { status, json: body } = storedAnswer(kept, secrets);
      return `{"at":"${isoTimestamp(kept.at)}","status":${status},"body":${body as string}}`;
    });
  }
}

async function* list(name: string, parts: AsyncGenerator<string[]>): AsyncGenerator<string> {
  let before = `,${JSON.stringify(name)}:[`;
  for await (const items of parts) {
    for (const item of items) {
      yield `${before}${item}`;
      before = ",";
    }
  }
  yield before === "," ? "]" : `${before}]`;
}
