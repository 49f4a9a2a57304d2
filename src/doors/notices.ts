import { activityNotices } from "../customers/activities/pages/activity-page.ts";
import { addressNoun } from "../customers/addresses/pages/address-noun.ts";
import { companyNotices } from "../customers/companies/pages/company-notices.ts";
import { childNotices } from "../customers/company-children/pages/delete-page.ts";
import { contactNoun } from "../customers/contacts/pages/contact-noun.ts";
import { customFieldNotices } from "../customers/custom-fields/custom-field-words.ts";
import { alikeNotices } from "../desk/alike/alike-words.ts";
import { callNotices } from "../desk/calls/call-pages.ts";
import { changeNotices } from "../desk/changing/change-selected.ts";
import { digestNotices } from "../desk/digest/digest-words.ts";
import { mailInvoiceNotices } from "../desk/invoice-pages/mail-invoice-page.ts";
import { newInvoiceNotices } from "../desk/invoice-pages/new-invoice-page.ts";
import { invoicePageNotices } from "../desk/invoice-pages/status-pages.ts";
import { mergeNotices } from "../desk/merging/merge-words.ts";
import { paymentNotices } from "../desk/money/payment-pages.ts";
import { promiseNotices } from "../desk/money/promise-pages.ts";
import { reminderNotices } from "../desk/money/reminder-pages.ts";
import { reminderTextNotices } from "../desk/money/reminder-texts-page.ts";
import { markPaidNotices } from "../desk/order-list/mark-paid.ts";
import { profileNotices } from "../desk/profile/profile-words.ts";
import { secondFactorNotices } from "../desk/profile/second-factor-words.ts";
import { todayNotices } from "../desk/today/today-posts.ts";
import { importNotices } from "../exchange/imports/pages/import-of.ts";
import { erasureNotices } from "../exchange/personal-data/personal-data-words.ts";
import { webhookNotices } from "../exchange/webhooks/webhook-words.ts";
import { columnNotices } from "../kit/tables/columns.ts";
import { viewNotices } from "../kit/tables/view-pages.ts";
import type { NoticeWords } from "../kit/web/notice.ts";
import { warehouseNotices } from "../orders/wms/pages/warehouse-notices.ts";
import { keyNotices } from "../people/api-keys/key-words.ts";
import { operatorNotices } from "../people/operators/operator-words.ts";
import { passkeyNotices } from "../people/passkeys/passkey-words.ts";
import { signInNotices } from "../people/sign-in/sign-in-words.ts";
import { singleSignOnNotices } from "../people/single-sign-on/single-sign-on-words.ts";
import { workspaceNotices } from "../people/tenants/workspace-words.ts";
import { userNotices } from "../people/users/user-words.ts";
import { pendingNotices } from "./confirming/pending-words.ts";

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
  ...alikeNotices,
  ...mergeNotices,
  ...changeNotices,
  ...columnNotices,
  ...viewNotices,
  ...childNotices(contactNoun),
  ...childNotices(addressNoun),
  ...erasureNotices,
  ...activityNotices,
  ...newInvoiceNotices,
  ...mailInvoiceNotices,
  ...invoicePageNotices,
  ...paymentNotices,
  ...markPaidNotices,
  ...promiseNotices,
  ...reminderNotices,
  ...reminderTextNotices,
  ...todayNotices,
  ...callNotices,
  ...warehouseNotices,
  ...importNotices,
  ...webhookNotices,
  ...pendingNotices,
  ...customFieldNotices,
};
