import { childMembers } from "../../../customers/company-children/child-json.ts";
import { contact } from "../../../customers/contacts/contact.ts";
import { contactNoun } from "../../../customers/contacts/pages/contact-noun.ts";
import type { Deps } from "../../../kit/deps.ts";
import { found } from "../../../kit/endpoint.ts";
import { asking } from "../../../kit/web/asking.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest } from "../../../kit/web/page.ts";
import { membersReader, type RowByName } from "../../../platform/fields/reader.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { eraseContact } from "../erase-contact-queries.ts";
import { exportContact } from "../export-contact.ts";
import { extentOf, findPerson, storedFilesOf } from "../personal-data-queries.ts";
import { erasureWords } from "../personal-data-words.ts";

const read = membersReader(childMembers(contact));

/** GET /contacts/{id}/erase: asks for confirmation, with the numbers of rows; for deleted contacts too. */
export const askToErasePage: Page = async (deps, request) => {
  const { actor, language } = request;
  const { id, row, back } = await personOf(deps, request);
  const { changes, activities, notes } = await extentOf(actor.tenant, deps.database, id);
  const files = await storedFilesOf(actor.tenant, deps.database, id);
  const words = erasureWords[language];
  return asking(language, {
    title: words.title(contactNoun.title(row)),
    area: "companies",
    consequences: [
      words.what,
      words.changes(changes),
      activities > 0 && words.activities(activities, notes),
      ...files.map((file) => words.file(file.file_name, file.kept_until)),
      words.elsewhere,
    ],
    action: `/contacts/${id}/erase`,
    submit: words.erase,
    back,
  });
};

/** POST /contacts/{id}/erase */
export const eraseContactPage: Page = async ({ database }, request) => {
  const { actor } = request;
  const erase = async (id: string) => await eraseContact(actor.tenant, database, id, changedBy(actor));
  const receipt = await found("Contact", request, erase);
  const rows = Object.values(receipt.erased).reduce((sum, count) => sum + count, 0);
  return { to: "/contacts", notice: notice("contact-erased", { rows: String(rows) }) };
};

/** GET /contacts/{id}/export: all stored data of a person, as a file. */
export const exportContactPage: Page = async (deps, request) => {
  const { actor, params } = request;
  const body = await found("Contact", request, async (id) => await exportContact(deps, actor.tenant, id));
  return { file: `contact-${params.id}.json`, contentType: "application/json; charset=utf-8", body };
};

/** The contact in the path, deleted or not, and the target of Cancel. Throws resourceMissing. */
async function personOf({ database, keyring }: Deps, request: PageRequest) {
  const { tenant } = request.actor;
  const person = await found("Contact", request, async (id) => await findPerson(tenant, database, id));
  const row: RowByName = read(person, { keyring, tenant });
  const id = String(row.id);
  return { id, row, back: (row.deleted_at ?? null) === null ? `/contacts/${id}` : "/contacts" };
}
