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
import { exportSalesPage } from "../desk/sales/sales-file.ts";
import { salesPage } from "../desk/sales/sales-page.ts";
import type { PageRoute } from "./page-route.ts";

/** The pages of money, with their permitted visitors (pages.ts). */
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
