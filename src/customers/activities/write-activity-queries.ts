import type { Database, Run } from "../../platform/postgres/database.ts";
import { stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { ReplacedCall } from "../calls/planned-call-queries.ts";
import { arrangeCalls, type MadeCall } from "../calls/write-planned-call-queries.ts";

/** An activity as it is to be stored; `at` is by the clock of the time zone, null for now, or for when it was. */
export type NewActivity = {
  kind: string;
  note: string | null;
  contactId: string | null;
  at: string | null;
  timeZone: string;
};

export type ActivityStored =
  /** `replaced`: the call to come in whose place another one was arranged. */
  | { outcome: "written"; companyId: string; replaced: ReplacedCall | null }
  | { outcome: "missing" }
  | { outcome: "no-such-contact" };

/** Stores an activity of a company, with the last contact and the calls that follow from it. */
export async function insertActivity(
  tenant: TenantId,
  database: Database,
  companyId: string,
  { kind, note, contactId, at, timeZone }: NewActivity,
  next: { date: string | null; made: MadeCall | null },
  by: string,
): Promise<ActivityStored> {
  return await database.transaction(tenant, async (run) => {
    const place = await placeOf(run, { companyId, at, timeZone, former: null });
    if (place === null) return { outcome: "missing" };
    if (contactId !== null && !(await lockContact(run, companyId, contactId))) return { outcome: "no-such-contact" };
    const isContact = kind !== "note";
    const isNow = isContact && contactId !== null && place.at === null;
    const touched = isNow ? await touchContact(run, contactId, by) : null;
    const arranged = await arrangeCalls(run, companyId, { ...next, contactId }, by);
    const said = { companyId, contactId, at: touched ?? place.at ?? place.now, kind, note, by };
    const stored = { ...said, at: await storeActivity(run, { ...said, next: next.date, told: arranged.told }) };
    if (isContact && !place.isAhead) await contactedAt(run, stored, by);
    return { outcome: "written", companyId, replaced: arranged.replaced };
  });
}

/** Changes an activity of its author; another user's counts as missing. */
export async function changeActivity(
  tenant: TenantId,
  database: Database,
  id: string,
  { kind, note, contactId, at, timeZone }: NewActivity,
  by: string,
): Promise<ActivityStored> {
  return await database.transaction(tenant, async (run) => {
    const before = await lockOwn(run, id, by);
    if (before === null) return { outcome: "missing" };
    const { companyId } = before;
    const place = await placeOf(run, { companyId, at, timeZone, former: before.at });
    if (place === null) return { outcome: "missing" };
    const isNewContact = contactId !== null && contactId !== before.contactId;
    if (isNewContact && !(await lockContact(run, companyId, contactId))) return { outcome: "no-such-contact" };
    const moment = place.at ?? before.at;
    await storeChanged(run, { id, contactId, at: moment, kind, note });
    if (before.kind !== "note") await correctLastContact(run, before, by);
    if (kind !== "note" && !place.isAhead) await contactedAt(run, { companyId, contactId, at: moment }, by);
    return { outcome: "written", companyId, replaced: null };
  });
}

/** Removes an activity of its author. Returns its company's id; null if it is missing. */
export async function removeActivity(
  tenant: TenantId,
  database: Database,
  id: string,
  by: string,
): Promise<string | null> {
  return await database.transaction(tenant, async (run) => {
    const before = await lockOwn(run, id, by);
    if (before === null) return null;
    await removeStored(run, id);
    if (before.kind !== "note") await correctLastContact(run, before, by);
    return before.companyId;
  });
}

const stored = selectList({
  companyId: column.text("a.company_id"),
  contactId: "a.contact_id",
  kind: column.text("a.kind"),
  at: column.text("a.at"),
});

/** The members of a stored activity that an edit depends on; `at` is PostgreSQL's text. */
type StoredActivity = Selected<typeof stored>;

/** Null if there is none, or somebody else wrote it. */
const lockOwn = stepQuery<[id: string, by: string]>(
  "lock_own_activity",
  `select ${stored.sql} from activities a
  where a.tenant_id = $1 and a.id = $2 and a.changed_by = $3
    and exists (select from companies c where c.tenant_id = $1 and c.id = a.company_id and c.deleted_at is null)
  for no key update of a`,
).first(stored.read);

// A form knows minutes: one that was not touched means the very moment that is stored.
const MEANT = `case when :at::timestamp is null or date_trunc('minute', :former::timestamptz at time zone :timeZone) = :at::timestamp
    then :former::timestamptz else :at::timestamp at time zone :timeZone end`;

const place = selectList({
  now: column.text("now()"),
  at: MEANT,
  // A moment that lies ahead was arranged, and nothing has happened yet.
  isAhead: column.flag(`coalesce(${MEANT} > now(), false)`),
});

type PlaceQuery = {
  companyId: string;
  at: string | null;
  timeZone: string;
  former: string | null;
};

/**
 * The company that an activity is of, as it is written down: `at` is the moment that is meant, null for now. Null where
 * there is none. It is locked, since the day of its last contact follows.
 */
const placeOf = stepQuery<PlaceQuery>(
  "place_of_activity",
  `select ${place.sql}
  from companies c
  where c.tenant_id = $1 and c.id = :companyId and c.deleted_at is null
  for no key update of c`,
).first(place.read);

/**
 * Whether a company has the contact. It is locked until the activity is stored, because an erasure of the contact in
 * between would miss the activity.
 */
const lockContact = stepQuery<[companyId: string, contactId: string]>(
  "lock_contact_of_activity",
  `select k.id from contacts k where k.tenant_id = $1 and k.company_id = $2 and k.id = $3 and k.deleted_at is null
  for key share`,
).exists();

/** Moves the contact's last contact on to now, which is later than any before; that moment. */
const touchContact = stepQuery<[contactId: string, by: string]>(
  "touch_contact",
  `update contacts k set last_contacted_at = moment_after(coalesce(k.last_contacted_at, k.created_at)),
    updated_at = moment_after(k.updated_at), changed_by = $3
  where k.tenant_id = $1 and k.id = $2 and k.deleted_at is null
  returning k.last_contacted_at`,
).value();

const isLater = (alias: string) =>
  `(${alias}.last_contacted_at is null or ${alias}.last_contacted_at < $3::timestamptz)`;

const contactContacted = stepQuery<[id: string, at: string, by: string]>(
  "contact_contacted_at",
  `update contacts k set last_contacted_at = $3::timestamptz, updated_at = moment_after(k.updated_at), changed_by = $4
  where k.tenant_id = $1 and k.id = $2 and k.deleted_at is null and ${isLater("k")}`,
).nothing();

const companyContacted = stepQuery<[id: string, at: string]>(
  "company_contacted_at",
  `update companies c set last_contacted_at = $3::timestamptz where c.tenant_id = $1 and c.id = $2 and ${isLater("c")}`,
).nothing();

/** Sets the last contact with a company, and with one of its contacts, unless the stored one is later. */
async function contactedAt(
  run: Run,
  { companyId, contactId, at }: Pick<StoredActivity, "companyId" | "contactId" | "at">,
  by: string,
): Promise<void> {
  await companyContacted(run, companyId, at);
  if (contactId !== null) await contactContacted(run, contactId, at, by);
}

type Said = { contactId: string | null; at: string; kind: string; note: string | null };

/** The moment that was stored. */
const storeActivity = stepQuery<Said & { companyId: string; by: string; next: string | null; told: string | null }>(
  "insert_activity",
  `insert into activities (tenant_id, company_id, contact_id, at, kind, note, changed_by, callback_date, told_at)
  values ($1, :companyId, :contactId, :at::timestamptz, :kind, :note, :by, :next::date, :told::timestamptz) returning at`,
).of(([row]) => String(row?.[0]));

const storeChanged = stepQuery<Said & { id: string }>(
  "change_activity",
  `update activities set contact_id = :contactId, at = :at::timestamptz, kind = :kind, note = :note
  where tenant_id = $1 and id = :id`,
).nothing();

const removeStored = stepQuery<[id: string]>(
  "remove_activity",
  "delete from activities where tenant_id = $1 and id = $2",
).nothing();

function latestOf(name: string, of: string) {
  return stepQuery<[id: string]>(
    name,
    `select a.at from activities a
    where a.tenant_id = $1 and a.${of} = $2 and a.kind <> 'note' and a.at <= clock_timestamp()
    order by a.at desc, a.id desc limit 1`,
  ).value();
}

const latest = {
  contact: latestOf("latest_contact_of_contact", "contact_id"),
  company: latestOf("latest_contact_of_company", "company_id"),
};

const correctContact = stepQuery<[id: string, at: string, before: string | null, by: string]>(
  "correct_contact_of_contacts",
  `update contacts t set last_contacted_at = $4::timestamptz, updated_at = moment_after(t.updated_at), changed_by = $5
  where t.tenant_id = $1 and t.id = $2 and t.last_contacted_at = $3::timestamptz
    and t.last_contacted_at is distinct from $4::timestamptz`,
).nothing();

const correctCompany = stepQuery<[id: string, at: string, before: string | null]>(
  "correct_contact_of_companies",
  `update companies t set last_contacted_at = $4::timestamptz
  where t.tenant_id = $1 and t.id = $2 and t.last_contacted_at = $3::timestamptz
    and t.last_contacted_at is distinct from $4::timestamptz`,
).nothing();

/** Where an activity that is not there any more, or not as it was, was the last contact, the one before it is. */
async function correctLastContact(run: Run, { companyId, contactId, at }: StoredActivity, by: string): Promise<void> {
  await correctCompany(run, companyId, at, await latest.company(run, companyId));
  if (contactId === null) return;
  await correctContact(run, contactId, at, await latest.contact(run, contactId), by);
}
