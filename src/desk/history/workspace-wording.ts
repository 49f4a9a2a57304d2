import { typesIn, webhookWords } from "../../exchange/webhooks/webhook-words.ts";
import type { Wording } from "../../kit/changes/change-words.ts";
import { languages, moment } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { warehouseWords } from "../../orders/wms/pages/warehouse-words.ts";
import { capabilityWords, keyWords } from "../../people/api-keys/key-words.ts";
import { passkeyWords } from "../../people/passkeys/passkey-words.ts";
import { singleSignOnWords } from "../../people/single-sign-on/single-sign-on-words.ts";
import { firmFields } from "../../people/tenants/workspace-details.ts";
import { workspaceWords } from "../../people/tenants/workspace-words.ts";
import { roleWords, userWords } from "../../people/users/user-words.ts";
import { reminderWords } from "../money/reminder-words.ts";
import { historyWords } from "./history-words.ts";

const MOMENTS = new Set([
  "expires_at",
  "wms_key_set_at",
  "wms_former_checked_at",
  "previous_until",
  "logo_at",
  "reminder_texts_at",
  "sso_secret_set_at",
]);

/** The fields whose values are yes and no. */
const FLAGS =
  "accepted revoked wms_send_automatically wms_never active children begins_with_vat deleted sso_linked sso_trusts_addresses sso_admits_domains sso_on sso_only sso_break_glass".split(
    " ",
  );

/** How changes of the workspace itself are shown: users, invitations, keys, settings and connections. */
export function workspaceWording({ language, session }: PageRequest): Wording {
  const { timeZone } = session.workspace;
  const [users, keys, settings] = [userWords[language], keyWords[language], workspaceWords[language]];
  const { yes, no } = shellWords[language];
  const words = historyWords[language];
  const webhooks = webhookWords[language];
  const states: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    role: roleWords[language],
    deactivated: { false: users.active, true: users.deactivated },
    totp_confirmed: { false: users.off, true: users.on },
    export_refused: { false: yes, true: no },
    mail_language: languages,
    body: webhooks.bodies,
    ...Object.fromEntries(FLAGS.map((field) => [field, { false: no, true: yes }])),
  };
  const singleSignOn = singleSignOnWords[language];
  const capabilities: Readonly<Record<string, string>> = capabilityWords[language];
  return {
    labels: {
      name: users.name,
      email: users.email,
      role: users.role,
      deactivated: users.state,
      totp_confirmed: users.secondFactor,
      export_refused: users.mayExport,
      expires_at: users.validUntil,
      accepted: words.accepted,
      for_user: users.forPassword,
      revoked: keys.revoked,
      capabilities: keys.capabilities,
      ...Object.fromEntries(firmFields.map(({ name }) => [name, settings[name]])),
      logo_at: settings.logo,
      reminder_texts_at: reminderWords[language].textsTitle,
      country: settings.country,
      time_zone: settings.time_zone,
      vat_rates: settings.vat_rates,
      payment_days: settings.payment_days,
      begins_with_vat: settings.begins_with_vat,
      mail_language: settings.mail_language,
      warehouse_contact: warehouseWords[language].contact,
      wms_key_set_at: words.keyWritten,
      wms_former_checked_at: words.formerChecked,
      ...webhooks.labels,
      active: webhooks.active,
      previous_until: webhooks.previousUntil,
      deleted: webhooks.deleted,
      passkey: passkeyWords[language].passkey,
      sso_linked: singleSignOn.chooseTitle,
      sso_issuer: singleSignOn.labels.issuer,
      sso_client_id: singleSignOn.labels.client_id,
      sso_secret_set_at: singleSignOn.secret,
      sso_domains: singleSignOn.labels.domains,
      sso_trusts_addresses: singleSignOn.labels.trusts_addresses,
      sso_admits_domains: singleSignOn.labels.admits_domains,
      sso_groups_claim: singleSignOn.labels.groups_claim,
      sso_admin_group: singleSignOn.labels.admin_group,
      sso_scopes: singleSignOn.labels.scopes,
      sso_on: singleSignOn.chooseTitle,
      sso_only: singleSignOn.only,
      sso_break_glass: singleSignOn.breakGlass,
    },
    language,
    timeZone,
    value(field, value) {
      if (MOMENTS.has(field)) return moment(language, value, timeZone);
      if (field === "for_user") return yes;
      if (field === "types") return typesIn(language, value);
      if (field !== "capabilities") return states[field]?.[value] ?? value;
      return (JSON.parse(value) as string[]).map((name) => capabilities[name] ?? name).join(", ");
    },
  };
}
