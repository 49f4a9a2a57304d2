import type { Database, Run } from "../../platform/postgres/database.ts";
import { column, selectList, type Selected, type Statement } from "../../platform/postgres/statement.ts";
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
    const said = [companyId, contactId, touched ?? place.at ?? place.now, kind, note, by];
    const [row] = await run(insertStatement, [...said, next.date, arranged.told]);
    const stored = { companyId, contactId, at: String(row?.[0]) };
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
    await run(updateStatement, [id, contactId, moment, kind, note]);
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
    await run(deleteStatement, [id]);
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

const ownStatement: Statement = {
  name: "lock_own_activity",
  text: `select ${stored.sql} from activities a
  where a.tenant_id = $1 and a.id = $2 and a.changed_by = $3
    and exists (select from companies c where c.tenant_id = $1 and c.id = a.company_id and c.deleted_at is null)
  for no key update of a`,
};

/** Null if there is none, or somebody else wrote it. */
async function lockOwn(run: Run, id: string, by: string): Promise<StoredActivity | null> {
  return stored.first(await run(ownStatement, [id, by]));
}

const place = selectList({
  now: column.text("now()"),
  // A form knows minutes: one that was not touched means the very moment that is stored.
  at: `case when $3::timestamp is null or date_trunc('minute', $5::timestamptz at time zone $4) = $3::timestamp
    then $5::timestamptz else $3::timestamp at time zone $4 end`,
  // A moment that lies ahead was arranged, and nothing has happened yet.
  isAhead: column.flag("coalesce($3::timestamp at time zone $4 > now(), false)"),
});

const placeStatement: Statement = {
  name: "place_of_activity",
  text: `select ${place.sql}
  from companies c
  where c.tenant_id = $1 and c.id = $2 and c.deleted_at is null
  for no key update of c`,
};

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
async function placeOf(run: Run, asked: PlaceQuery): Promise<Selected<typeof place> | null> {
  const { companyId, at, timeZone, former } = asked;
  return place.first(await run(placeStatement, [companyId, at, timeZone, former]));
}

const contactStatement: Statement = {
  name: "lock_contact_of_activity",
  text: `select k.id from contacts k where k.tenant_id = $1 and k.company_id = $2 and k.id = $3 and k.deleted_at is null
  for key share`,
};

/**
 * Whether a company has the contact. It is locked until the activity is stored, because an erasure of the contact in
 * between would miss the activity.
 */
async function lockContact(run: Run, companyId: string, contactId: string): Promise<boolean> {
  return (await run(contactStatement, [companyId, contactId])).length > 0;
}

const touchStatement: Statement = {
  name: "touch_contact",
  text: `update contacts k set last_contacted_at = moment_after(coalesce(k.last_contacted_at, k.created_at)),
    updated_at = moment_after(k.updated_at), changed_by = $3
  where k.tenant_id = $1 and k.id = $2 and k.deleted_at is null
  returning k.last_contacted_at`,
};

/** Moves the contact's last contact on to now, which is later than any before; that moment. */
async function touchContact(run: Run, contactId: string, by: string): Promise<string | null> {
  const [row] = await run(touchStatement, [contactId, by]);
  return row?.[0] ?? null;
}

const isLater = (alias: string) =>
  `(${alias}.last_contacted_at is null or ${alias}.last_contacted_at < $3::timestamptz)`;

const contactedStatement: Statement = {
  name: "contact_contacted_at",
  text: `update contacts k set last_contacted_at = $3::timestamptz, updated_at = moment_after(k.updated_at), changed_by = $4
  where k.tenant_id = $1 and k.id = $2 and k.deleted_at is null and ${isLater("k")}`,
};

const companyContactedStatement: Statement = {
  name: "company_contacted_at",
  text: `update companies c set last_contacted_at = $3::timestamptz where c.tenant_id = $1 and c.id = $2 and ${isLater("c")}`,
};

/** Sets the last contact with a company, and with one of its contacts, unless the stored one is later. */
async function contactedAt(
  run: Run,
  { companyId, contactId, at }: Pick<StoredActivity, "companyId" | "contactId" | "at">,
  by: string,
): Promise<void> {
  await run(companyContactedStatement, [companyId, at]);
  if (contactId !== null) await run(contactedStatement, [contactId, at, by]);
}

const insertStatement: Statement = {
  name: "insert_activity",
  text: `insert into activities (tenant_id, company_id, contact_id, at, kind, note, changed_by, callback_date, told_at)
  values ($1, $2, $3, $4::timestamptz, $5, $6, $7, $8::date, $9::timestamptz) returning at`,
};

const updateStatement: Statement = {
  name: "change_activity",
  text: `update activities set contact_id = $3, at = $4::timestamptz, kind = $5, note = $6 where tenant_id = $1 and id = $2`,
};

const deleteStatement: Statement = {
  name: "remove_activity",
  text: "delete from activities where tenant_id = $1 and id = $2",
};

function latestStatement(name: string, of: string): Statement {
  return {
    name,
    text: `select a.at from activities a
    where a.tenant_id = $1 and a.${of} = $2 and a.kind <> 'note' and a.at <= clock_timestamp()
    order by a.at desc, a.id desc limit 1`,
  };
}

function correctStatement(table: "contacts" | "companies", others: string): Statement {
  return {
    name: `correct_contact_of_${table}`,
    text: `update ${table} t set last_contacted_at = $4::timestamptz${others}
    where t.tenant_id = $1 and t.id = $2 and t.last_contacted_at = $3::timestamptz and t.last_contacted_at is distinct from $4::timestamptz`,
  };
}

const latest = {
  contact: latestStatement("latest_contact_of_contact", "contact_id"),
  company: latestStatement("latest_contact_of_company", "company_id"),
};
const correct = {
  contact: correctStatement("contacts", ", updated_at = moment_after(t.updated_at), changed_by = $5"),
  company: correctStatement("companies", ""),
};

/** Where an activity that is not there any more, or not as it was, was the last contact, the one before it is. */
async function correctLastContact(run: Run, { companyId, contactId, at }: StoredActivity, by: string): Promise<void> {
  const [ofCompany] = await run(latest.company, [companyId]);
  await run(correct.company, [companyId, at, ofCompany?.[0] ?? null]);
  if (contactId === null) return;
  const [ofContact] = await run(latest.contact, [contactId]);
  await run(correct.contact, [contactId, at, ofContact?.[0] ?? null, by]);
}
