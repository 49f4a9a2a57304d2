import { askToSendPage, sendInvoicePage } from "../desk/invoice-pages/ask-to-send.ts";
import { editInvoicePage, updateInvoicePage } from "../desk/invoice-pages/edit-invoice-page.ts";
import { invoicePdfPage } from "../desk/invoice-pages/invoice-pdf.ts";
import { askToMailPage, mailInvoicePage } from "../desk/invoice-pages/mail-invoice-page.ts";
import {
  copyInvoicePage,
  createInvoicePage,
  earlierLinesPage,
  newInvoiceOfPage,
  newInvoicePage,
} from "../desk/invoice-pages/new-invoice-page.ts";
import { showInvoicePage } from "../desk/invoice-pages/show-invoice-page.ts";
import { askToCancelPage, changeStatusPage } from "../desk/invoice-pages/status-pages.ts";
import { remembering } from "../desk/last-opened/remembering.ts";
import { exportMoneyPage } from "../desk/money/money-file.ts";
import { moneyPage } from "../desk/money/money-page.ts";
import { createPaymentPage, deletePaymentPage, newPaymentPage } from "../desk/money/payment-pages.ts";
import { promisePage, savePromisePage } from "../desk/money/promise-pages.ts";
import {
  askToRemindPage,
  companyRemindersPage,
  remindersFormPage,
  sendRemindersPage,
} from "../desk/money/reminder-pages.ts";
import { reminderTextsPage, saveReminderTextsPage } from "../desk/money/reminder-texts-page.ts";
import { exportStatementPage, statementPage } from "../desk/money/statement-page.ts";
import { listInvoicesPage } from "../desk/order-list/company-orders-page.ts";
import { exportSalesPage } from "../desk/sales/sales-file.ts";
import { salesPage } from "../desk/sales/sales-page.ts";
import {
  checkPage,
  noneElsewherePage,
  notAnOrderPage,
  putOffPage,
  sendAgainPage,
  settlePage,
  unsettlePage,
  cancelTherePage,
} from "../orders/wms/pages/put-right-pages.ts";
import type { PageRoute } from "./page-route.ts";

/** The pages of invoices and of their payments and reminders, with their permitted visitors (pages.ts). */
export const invoicePages: readonly PageRoute[] = [
  { method: "GET", path: "/companies/{id}/invoices", for: "members", page: listInvoicesPage },
  { method: "GET", path: "/companies/{id}/invoices/new", for: "members", page: newInvoiceOfPage },
  { method: "GET", path: "/invoices/new", for: "members", page: newInvoicePage },
  { method: "GET", path: "/invoices/earlier-lines", for: "members", page: earlierLinesPage },
  { method: "POST", path: "/invoices", for: "members", page: createInvoicePage, creates: true },
  { method: "GET", path: "/invoices/{id}/edit", for: "members", page: editInvoicePage },
  { method: "POST", path: "/invoices/{id}/edit", for: "members", page: updateInvoicePage },
  { method: "GET", path: "/invoices/{id}/copy", for: "members", page: copyInvoicePage },
  { method: "GET", path: "/invoices/{id}/cancel", for: "members", page: askToCancelPage },
  { method: "POST", path: "/invoices/{id}/status", for: "members", page: changeStatusPage },
  { method: "GET", path: "/invoices/{id}", for: "members", page: remembering("invoice", showInvoicePage) },
  { method: "GET", path: "/invoices/{id}/pdf", for: "members", page: invoicePdfPage },
  { method: "GET", path: "/invoices/{id}/mail", for: "members", page: askToMailPage },
  { method: "POST", path: "/invoices/{id}/mail", for: "members", page: mailInvoicePage, creates: true },
  { method: "GET", path: "/invoices/{id}/send", for: "members", page: askToSendPage },
  { method: "POST", path: "/invoices/{id}/send", for: "members", page: sendInvoicePage },
  { method: "POST", path: "/invoices/{id}/send-again", for: "members", page: sendAgainPage },
  { method: "POST", path: "/invoices/{id}/settle", for: "members", page: settlePage },
  { method: "POST", path: "/invoices/{id}/unsettle", for: "members", page: unsettlePage },
  { method: "POST", path: "/invoices/{id}/cancel-there", for: "members", page: cancelTherePage },
  { method: "POST", path: "/invoices/{id}/check", for: "members", page: checkPage },
  { method: "POST", path: "/invoices/{id}/put-off", for: "members", page: putOffPage },
  { method: "POST", path: "/invoices/{id}/not-an-order", for: "members", page: notAnOrderPage },
  { method: "POST", path: "/invoices/{id}/none-elsewhere", for: "members", page: noneElsewherePage },
];

/** The pages of money. */
export const moneyPages: readonly PageRoute[] = [
  { method: "GET", path: "/companies/{id}/statement", for: "members", page: statementPage },
  { method: "GET", path: "/companies/{id}/statement/export", for: "members", page: exportStatementPage },
  { method: "GET", path: "/sales", for: "members", page: salesPage },
  { method: "GET", path: "/sales/export", for: "members", page: exportSalesPage },
  { method: "GET", path: "/money", for: "members", page: moneyPage },
  { method: "GET", path: "/money/export", for: "members", page: exportMoneyPage },
  { method: "POST", path: "/money/remind", for: "members", page: askToRemindPage },
  { method: "GET", path: "/money/reminders", for: "members", page: remindersFormPage },
  { method: "POST", path: "/money/reminders", for: "members", page: sendRemindersPage },
  { method: "GET", path: "/companies/{id}/reminders", for: "members", page: companyRemindersPage },
  { method: "GET", path: "/companies/{id}/promise", for: "members", page: promisePage },
  { method: "POST", path: "/companies/{id}/promise", for: "members", page: savePromisePage },
  { method: "GET", path: "/workspace/reminders", for: "admins", page: reminderTextsPage },
  { method: "POST", path: "/workspace/reminders", for: "admins", page: saveReminderTextsPage },
  { method: "GET", path: "/invoices/{id}/payments", for: "members", page: newPaymentPage },
  { method: "POST", path: "/invoices/{id}/payments", for: "members", page: createPaymentPage, creates: true },
  { method: "POST", path: "/payments/{id}/delete", for: "members", page: deletePaymentPage },
];
