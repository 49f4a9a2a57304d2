import {
  archiveFieldPage,
  askToDeleteFieldPage,
  createFieldPage,
  deleteFieldPage,
  fieldsPage,
  newFieldPage,
  restoreFieldPage,
  showFieldPage,
  updateFieldPage,
} from "../customers/custom-fields/pages/fields-pages.ts";
import type { PageRoute } from "./page-route.ts";

/** The pages of custom fields, with their permitted visitors (pages.ts). */
export const fieldPages: readonly PageRoute[] = [
  { method: "GET", path: "/workspace/fields", for: "admins", page: fieldsPage },
  { method: "POST", path: "/workspace/fields", for: "admins", page: createFieldPage, creates: true },
  { method: "GET", path: "/workspace/fields/new", for: "admins", page: newFieldPage },
  { method: "GET", path: "/workspace/fields/{id}", for: "admins", page: showFieldPage },
  { method: "POST", path: "/workspace/fields/{id}", for: "admins", page: updateFieldPage },
  { method: "POST", path: "/workspace/fields/{id}/archive", for: "admins", page: archiveFieldPage },
  { method: "POST", path: "/workspace/fields/{id}/restore", for: "admins", page: restoreFieldPage },
  { method: "GET", path: "/workspace/fields/{id}/delete", for: "admins", page: askToDeleteFieldPage },
  { method: "POST", path: "/workspace/fields/{id}/delete", for: "admins", page: deleteFieldPage },
];
