import type { Deps } from "../../kit/deps.ts";
import { mailing } from "../../kit/mail/mailing.ts";
import type { Language } from "../../kit/web/language.ts";
import { sleep } from "../../platform/clock.ts";
import { isEmail } from "../../platform/email.ts";
import { asStored, trim } from "../../platform/text.ts";
import { findTenant } from "../tenants/tenant-queries.ts";
import { typedSlug } from "../tenants/tenant.ts";
import { EMAIL_MAX } from "../users/user.ts";
import { countedOnly, type Refused } from "./guarded.ts";
import { countedForMail, strangersTurn } from "./subjects.ts";

/** Every answer takes this time, which is longer than the work: an unknown workspace needs one write fewer. */
const ANSWER_MS = 300;

/**
 * Enqueues a mail with a link for a new password. Its job looks the address up, so neither the answer nor its time
 * shows whether there is such a user. An unknown workspace gets the same answer, null, without a mail.
 */
export async function askForPassword(
  deps: Deps,
  named: { workspace: string; email: string },
  { network, language }: { network: string; language: Language },
): Promise<Refused | null> {
  const refused = await countedOnly(deps, strangersTurn(network), countedForMail(network));
  if (refused !== null) return refused;
  await Promise.all([
    sleep(ANSWER_MS),
    enqueue(deps, { slug: typedSlug(named.workspace), email: trim(named.email) }, language),
  ]);
  return null;
}

async function enqueue(
  deps: Deps,
  { slug, email }: { slug: string; email: string },
  language: Language,
): Promise<void> {
  const address = asStored(email, EMAIL_MAX);
  const tenant = await findTenant(deps.database, slug);
  if (tenant === null || tenant.suspendedAt !== null || address === null || !isEmail(address)) return;
  await deps.database.write(
    tenant.id,
    mailing(deps, tenant.id, { email: address }, { kind: "forgotten-password", details: { language } }),
  );
}
