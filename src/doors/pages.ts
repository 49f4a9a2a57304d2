import { activityPage, deleteActivityPage, mendActivityPage } from "../customers/activities/pages/activity-page.ts";
import { addressNoun } from "../customers/addresses/pages/address-noun.ts";
import { askToDeletePage, deleteCompanyPage, restoreCompanyPage } from "../customers/companies/pages/delete-page.ts";
import { editCompanyPage, updateCompanyPage } from "../customers/companies/pages/edit-page.ts";
import { deleteChildPage, restoreChildPage } from "../customers/company-children/pages/delete-page.ts";
import { editChildPages } from "../customers/company-children/pages/edit-page.ts";
import { listChildrenPage } from "../customers/company-children/pages/list-page.ts";
import { createChildPage, newChildPage } from "../customers/company-children/pages/new-page.ts";
import type { ChildNoun } from "../customers/company-children/pages/noun.ts";
import { showChildPage } from "../customers/company-children/pages/show-page.ts";
import { logActivityPage } from "../customers/contacts/pages/log-activity-page.ts";
import { changeCompanies } from "../desk/company-list/change-companies.ts";
import { companyList, listCompaniesPage } from "../desk/company-list/company-list.ts";
import { askToDeactivatePage, deactivateUserPage } from "../desk/company-list/deactivate-pages.ts";
import { selectedCompanies } from "../desk/company-list/selected-companies.ts";
import { contactOfCompany } from "../desk/company-page/contact-of-company.ts";
import { logCompanyActivityPage } from "../desk/company-page/log-activity-page.ts";
import { createCompanyPage, newCompanyPage } from "../desk/company-page/new-page.ts";
import { companyPage } from "../desk/company-page/show-page.ts";
import { contactList } from "../desk/contact-list/contact-list.ts";
import { digestPost, unsubscribePage, unsubscribePost } from "../desk/digest/digest-pages.ts";
import { findPage } from "../desk/find/find-page.ts";
import { changePage } from "../desk/history/pages/change-page.ts";
import { historyPage } from "../desk/history/pages/history-page.ts";
import type { OpenedKind } from "../desk/last-opened/last-opened-queries.ts";
import { remembering } from "../desk/last-opened/remembering.ts";
import { listOrdersPage, redrivePage, tryWarehousePage } from "../desk/order-list/list-page.ts";
import { orderList } from "../desk/order-list/order-list.ts";
import { passwordPost, profilePage, profilePost } from "../desk/profile/profile-page.ts";
import {
  beginFactorPost,
  confirmFactorPost,
  endFactorPost,
  secondFactorPage,
} from "../desk/profile/second-factor-page.ts";
import { endOtherSessionsPage, endSessionPage } from "../desk/profile/session-pages.ts";
import { todayGroups } from "../desk/today/today-choices.ts";
import { todayPage } from "../desk/today/today-page.ts";
import { hideStepsPage, sendAllPage } from "../desk/today/today-posts.ts";
import { exportPage } from "../exchange/exports/page-export.ts";
import { kindNames } from "../exchange/imports/kinds.ts";
import { alikeRowsPage } from "../exchange/imports/pages/alike-rows.ts";
import { correctImportPage, startImportPage } from "../exchange/imports/pages/corrections-page.ts";
import { changeKindPage } from "../exchange/imports/pages/kind-page.ts";
import { listImportsPage } from "../exchange/imports/pages/list-page.ts";
import { createImportPage, newImportPage } from "../exchange/imports/pages/new-page.ts";
import { rereadImportPage } from "../exchange/imports/pages/reading-page.ts";
import { rejectedRowsPage, showImportPage } from "../exchange/imports/pages/show-page.ts";
import {
  askToUndoPage,
  cancelImportPage,
  retryImportPage,
  undoImportPage,
} from "../exchange/imports/pages/undo-page.ts";
import {
  askToErasePage,
  eraseContactPage,
  exportContactPage,
} from "../exchange/personal-data/pages/personal-data-pages.ts";
import { columnsPage } from "../kit/tables/columns.ts";
import { listPages } from "../kit/tables/list-pages.ts";
import type { AnyList } from "../kit/tables/list.ts";
import { connectAction } from "../orders/wms/pages/connect-companies.ts";
import {
  askToRemovePage,
  connectionPage,
  removeConnectionPage,
  saveConnectionPage,
  testConnectionPage,
} from "../orders/wms/pages/connection-page.ts";
import { confirmLinksPage, reconfirmPage } from "../orders/wms/pages/reconfirm-page.ts";
import {
  askToRemoveWorkspacePage,
  askToReplacePage,
  removeWorkspaceConnectionPage,
  replaceConnectionPage,
  saveWorkspaceConnectionPage,
  testWorkspaceConnectionPage,
  workspaceConnectionPage,
} from "../orders/wms/pages/workspace-connection-page.ts";
import { forgottenPage, forgottenPost } from "../people/sign-in/forgotten-pages.ts";
import { invitationPage, invitationPost } from "../people/sign-in/invitation-page.ts";
import {
  codePage,
  codePost,
  demoPost,
  homePage,
  signInPage,
  signInPost,
  signOutPost,
} from "../people/sign-in/sign-in-pages.ts";
import { logoPage, logoPost, workspacePage, workspacePost } from "../people/tenants/pages/workspace-page.ts";
import { askToResetFactorPage } from "../people/users/pages/ask-pages.ts";
import { invitePage, invitePost, passwordLinkPage } from "../people/users/pages/invite-page.ts";
import { listUsersPage, revokeInvitationPage } from "../people/users/pages/list-users-page.ts";
import { resetFactorPage } from "../people/users/pages/reset-factor-page.ts";
import { reactivateUserPage, showUserPage, updateUserPage } from "../people/users/pages/show-user-page.ts";
import { callPages } from "./call-pages.ts";
import { pendingPages } from "./confirming/pending-routes.ts";
import { fieldPages } from "./field-pages.ts";
import { invoicePages, moneyPages } from "./invoice-pages.ts";
import { mergePages } from "./merge-pages.ts";
import { operatorPages } from "./operator-pages.ts";
import type { PageRoute } from "./page-route.ts";
import { passkeyPages } from "./passkey-pages.ts";
import { keyPages, webhookPages } from "./program-pages.ts";
import { singleSignOnPages } from "./single-sign-on-pages.ts";

const companies = { ...companyList, actions: [changeCompanies, connectAction(selectedCompanies)] };

/** The lists that can have saved views. */
export const lists: readonly AnyList[] = [companyList, contactList, orderList];

/**
 * Every page and every target of a form, with its permitted visitors: dispatch, the checks of pages-scope.ts and the
 * tests that visit every page read this list.
 */
export const pages: readonly PageRoute[] = [
  { method: "GET", path: "/", for: "everybody", page: homePage },
  { method: "GET", path: "/sign-in", for: "everybody", page: signInPage },
  { method: "POST", path: "/sign-in", for: "everybody", page: signInPost },
  { method: "POST", path: "/sign-in/demo", for: "everybody", page: demoPost },
  { method: "GET", path: "/sign-in/code", for: "everybody", page: codePage },
  { method: "POST", path: "/sign-in/code", for: "everybody", page: codePost },
  { method: "GET", path: "/sign-in/forgotten", for: "everybody", page: forgottenPage },
  { method: "POST", path: "/sign-in/forgotten", for: "everybody", page: forgottenPost },
  { method: "POST", path: "/sign-out", for: "everybody", page: signOutPost },
  ...passkeyPages,
  ...singleSignOnPages,
  { method: "GET", path: "/invitations/{token}", for: "everybody", page: invitationPage },
  { method: "POST", path: "/invitations/{token}", for: "everybody", page: invitationPost },

  { method: "GET", path: "/digest/unsubscribe", for: "everybody", page: unsubscribePage },
  { method: "POST", path: "/digest/unsubscribe", for: "everybody", page: unsubscribePost, from: "anywhere" },

  { method: "GET", path: "/today", for: "members", page: todayPage },
  { method: "POST", path: "/today/send-all", for: "members", page: sendAllPage },
  { method: "POST", path: "/today/columns", for: "members", page: columnsPage(todayGroups) },
  { method: "POST", path: "/today/hide-steps", for: "members", page: hideStepsPage },
  ...callPages,
  { method: "GET", path: "/find", for: "members", page: findPage },
  ...moneyPages,
  ...listPages(companies, listCompaniesPage(companies)),
  { method: "POST", path: "/companies", for: "members", page: createCompanyPage, creates: true },
  { method: "GET", path: "/companies/new", for: "members", page: newCompanyPage },
  { method: "GET", path: "/companies/{id}/edit", for: "members", page: editCompanyPage },
  { method: "GET", path: "/companies/{id}/delete", for: "members", page: askToDeletePage },
  { method: "POST", path: "/companies/{id}/delete", for: "members", page: deleteCompanyPage },
  { method: "POST", path: "/companies/{id}/restore", for: "members", page: restoreCompanyPage },
  ...mergePages,
  { method: "POST", path: "/companies/{id}", for: "members", page: updateCompanyPage, edits: true },
  { method: "GET", path: "/companies/{id}", for: "members", page: remembering("company", companyPage(null)) },

  ...listPages(contactList),
  ...childPages(contactOfCompany, "contact"),
  ...childPages(addressNoun, null),
  { method: "GET", path: "/contacts/{id}/export", for: "members", page: exportContactPage },
  { method: "GET", path: "/contacts/{id}/erase", for: "admins", page: askToErasePage },
  { method: "POST", path: "/contacts/{id}/erase", for: "admins", page: eraseContactPage },
  { method: "GET", path: "/history", for: "members", page: historyPage },
  { method: "GET", path: "/history/{id}", for: "members", page: changePage },
  { method: "POST", path: "/contacts/{id}/activities", for: "members", page: logActivityPage, creates: true },
  { method: "POST", path: "/companies/{id}/activities", for: "members", page: logCompanyActivityPage, creates: true },
  { method: "GET", path: "/activities/{id}", for: "members", page: activityPage },
  { method: "POST", path: "/activities/{id}", for: "members", page: mendActivityPage },
  { method: "POST", path: "/activities/{id}/delete", for: "members", page: deleteActivityPage },

  { method: "GET", path: "/imports", for: "members", page: listImportsPage },
  { method: "POST", path: "/imports", for: "members", page: createImportPage, accepts: "file" },
  { method: "GET", path: "/imports/new", for: "members", page: newImportPage },
  { method: "GET", path: "/imports/{id}", for: "members", page: showImportPage },
  { method: "POST", path: "/imports/{id}/kind", for: "members", page: changeKindPage },
  { method: "POST", path: "/imports/{id}/reading", for: "members", page: rereadImportPage },
  { method: "POST", path: "/imports/{id}/corrections", for: "members", page: correctImportPage },
  { method: "POST", path: "/imports/{id}/start", for: "members", page: startImportPage },
  { method: "POST", path: "/imports/{id}/retry", for: "members", page: retryImportPage },
  { method: "POST", path: "/imports/{id}/cancel", for: "members", page: cancelImportPage },
  { method: "GET", path: "/imports/{id}/undo", for: "members", page: askToUndoPage },
  { method: "POST", path: "/imports/{id}/undo", for: "members", page: undoImportPage },
  { method: "GET", path: "/imports/{id}/rejected.csv", for: "members", page: rejectedRowsPage },
  { method: "GET", path: "/imports/{id}/alike.csv", for: "members", page: alikeRowsPage },
  ...kindNames.map((kind): PageRoute => ({
    method: "GET",
    path: `/export/${kind}.csv`,
    for: "members",
    page: exportPage(kind),
  })),

  ...keyPages,
  ...pendingPages,
  ...webhookPages,
  ...fieldPages,

  { method: "GET", path: "/profile", for: "signed-in", page: profilePage },
  { method: "POST", path: "/profile", for: "signed-in", page: profilePost },
  { method: "POST", path: "/profile/password", for: "signed-in", page: passwordPost },
  { method: "GET", path: "/profile/second-factor", for: "signed-in", page: secondFactorPage },
  { method: "POST", path: "/profile/second-factor", for: "signed-in", page: beginFactorPost },
  { method: "POST", path: "/profile/second-factor/confirm", for: "signed-in", page: confirmFactorPost, creates: true },
  { method: "POST", path: "/profile/second-factor/end", for: "signed-in", page: endFactorPost },
  { method: "POST", path: "/profile/digest", for: "members", page: digestPost },
  { method: "POST", path: "/profile/sessions/end-others", for: "signed-in", page: endOtherSessionsPage },
  { method: "POST", path: "/profile/sessions/{id}/end", for: "signed-in", page: endSessionPage },

  { method: "GET", path: "/users", for: "admins", page: listUsersPage },
  { method: "POST", path: "/users", for: "admins", page: invitePost, creates: true },
  { method: "GET", path: "/users/new", for: "admins", page: invitePage },
  { method: "POST", path: "/users/invitations/{id}/revoke", for: "admins", page: revokeInvitationPage },
  { method: "GET", path: "/users/{id}", for: "admins", page: showUserPage },
  { method: "POST", path: "/users/{id}", for: "admins", page: updateUserPage },
  { method: "GET", path: "/users/{id}/deactivate", for: "admins", page: askToDeactivatePage },
  { method: "POST", path: "/users/{id}/deactivate", for: "admins", page: deactivateUserPage },
  { method: "POST", path: "/users/{id}/reactivate", for: "admins", page: reactivateUserPage },
  { method: "POST", path: "/users/{id}/password-link", for: "admins", page: passwordLinkPage },
  { method: "GET", path: "/users/{id}/second-factor/reset", for: "admins", page: askToResetFactorPage },
  { method: "POST", path: "/users/{id}/second-factor/reset", for: "admins", page: resetFactorPage },

  { method: "GET", path: "/workspace", for: "admins", page: workspacePage },
  { method: "POST", path: "/workspace", for: "admins", page: workspacePost },
  { method: "GET", path: "/workspace/logo", for: "members", page: logoPage },
  { method: "POST", path: "/workspace/logo", for: "admins", page: logoPost, accepts: "file" },
  { method: "GET", path: "/workspace/warehouses", for: "admins", page: workspaceConnectionPage },
  { method: "POST", path: "/workspace/warehouses", for: "admins", page: saveWorkspaceConnectionPage },
  { method: "POST", path: "/workspace/warehouses/test", for: "admins", page: testWorkspaceConnectionPage },
  { method: "GET", path: "/workspace/warehouses/replace", for: "admins", page: askToReplacePage },
  { method: "POST", path: "/workspace/warehouses/replace", for: "admins", page: replaceConnectionPage },
  { method: "GET", path: "/workspace/warehouses/remove", for: "admins", page: askToRemoveWorkspacePage },
  { method: "POST", path: "/workspace/warehouses/remove", for: "admins", page: removeWorkspaceConnectionPage },

  ...operatorPages,

  ...invoicePages,
  ...listPages(orderList, listOrdersPage),
  { method: "POST", path: "/orders/redrive", for: "members", page: redrivePage },
  { method: "POST", path: "/orders/try", for: "members", page: tryWarehousePage },
  { method: "GET", path: "/warehouse/reconfirm", for: "members", page: reconfirmPage },
  { method: "POST", path: "/warehouse/reconfirm", for: "members", page: confirmLinksPage },
  { method: "GET", path: "/companies/{id}/warehouse", for: "members", page: connectionPage },
  { method: "POST", path: "/companies/{id}/warehouse", for: "admins", page: saveConnectionPage },
  { method: "POST", path: "/companies/{id}/warehouse/test", for: "admins", page: testConnectionPage },
  { method: "GET", path: "/companies/{id}/warehouse/remove", for: "admins", page: askToRemovePage },
  { method: "POST", path: "/companies/{id}/warehouse/remove", for: "admins", page: removeConnectionPage },
];

/**
 * The pages of a noun that belongs to a company.
 * @param opened the kind under which an opened resource is remembered
 */
function childPages(noun: ChildNoun, opened: OpenedKind | null): PageRoute[] {
  const { table } = noun.child;
  const show = showChildPage(noun);
  const { editPage, updatePage } = editChildPages(noun);
  return [
    { method: "GET", path: `/companies/{id}/${table}`, for: "members", page: listChildrenPage(noun) },
    { method: "POST", path: `/companies/{id}/${table}`, for: "members", page: createChildPage(noun), creates: true },
    { method: "GET", path: `/companies/{id}/${table}/new`, for: "members", page: newChildPage(noun) },
    { method: "GET", path: `/${table}/{id}`, for: "members", page: opened === null ? show : remembering(opened, show) },
    { method: "POST", path: `/${table}/{id}`, for: "members", page: updatePage, edits: true },
    { method: "GET", path: `/${table}/{id}/edit`, for: "members", page: editPage },
    { method: "POST", path: `/${table}/{id}/delete`, for: "members", page: deleteChildPage(noun) },
    { method: "POST", path: `/${table}/{id}/restore`, for: "members", page: restoreChildPage(noun) },
  ];
}
