import { activityNotices } from "../activities/pages/activity-page.ts";
import { addressNoun } from "../addresses/pages/address-noun.ts";
import { keyNotices } from "../api-keys/key-words.ts";
import { companyNotices } from "../companies/pages/company-notices.ts";
import { childNotices } from "../company-children/pages/delete-page.ts";
import { changeNotices } from "../company-list/change-companies.ts";
import { contactNoun } from "../contacts/pages/contact-noun.ts";
import { digestNotices } from "../digest/digest-words.ts";
import { newInvoiceNotices } from "../invoice-pages/new-invoice-page.ts";
import { invoicePageNotices } from "../invoice-pages/status-pages.ts";
import { operatorNotices } from "../operators/operator-words.ts";
import { passkeyNotices } from "../passkeys/passkey-words.ts";
import { erasureNotices } from "../personal-data/personal-data-words.ts";
import { profileNotices } from "../profile/profile-words.ts";
import { secondFactorNotices } from "../profile/second-factor-words.ts";
import { signInNotices } from "../sign-in/sign-in-words.ts";
import { singleSignOnNotices } from "../single-sign-on/single-sign-on-words.ts";
import { columnNotices } from "../tables/columns.ts";
import { viewNotices } from "../tables/view-pages.ts";
import { workspaceNotices } from "../tenants/workspace-words.ts";
import { todayNotices } from "../today/today-posts.ts";
import { userNotices } from "../users/user-words.ts";
import type { NoticeWords } from "../web/notice.ts";
import { webhookNotices } from "../webhooks/webhook-words.ts";
import { warehouseNotices } from "../wms/pages/warehouse-notices.ts";

/** Every notice that a page may show about the previous action, from the rooms that perform the actions. */
export const noticeWords: NoticeWords = {
  ...signInNotices,
  ...operatorNotices,
  ...profileNotices,
  ...secondFactorNotices,
  ...digestNotices,
  ...keyNotices,
  ...userNotices,
  ...workspaceNotices,
  ...passkeyNotices,
  ...singleSignOnNotices,
  ...companyNotices,
  ...changeNotices,
  ...columnNotices,
  ...viewNotices,
  ...childNotices(contactNoun),
  ...childNotices(addressNoun),
  ...erasureNotices,
  ...activityNotices,
  ...newInvoiceNotices,
  ...invoicePageNotices,
  ...todayNotices,
  ...warehouseNotices,
  ...webhookNotices,
};
