import { deliveryPage, redeliverPage } from "../exchange/webhooks/pages/delivery-page.ts";
import { editWebhookPage, updateWebhookPage } from "../exchange/webhooks/pages/edit-webhook-page.ts";
import { listWebhooksPage } from "../exchange/webhooks/pages/list-webhooks-page.ts";
import { createWebhookPage, newWebhookPage } from "../exchange/webhooks/pages/new-webhook-page.ts";
import {
  askToDeleteWebhookPage,
  deleteWebhookPage,
  rotateSecretPage,
  showWebhookPage,
  testWebhookPage,
} from "../exchange/webhooks/pages/show-webhook-page.ts";
import { createAssistantKeyPage, newAssistantKeyPage } from "../people/api-keys/pages/assistant-key-page.ts";
import { listKeysPage } from "../people/api-keys/pages/list-keys-page.ts";
import { createKeyPage, newKeyPage } from "../people/api-keys/pages/new-key-page.ts";
import {
  askToRevokePage,
  renameKeyPage,
  rerollKeyPage,
  revokeKeyPage,
  showKeyPage,
} from "../people/api-keys/pages/show-key-page.ts";
import type { PageRoute } from "./page-route.ts";

/** The pages of API keys, with their permitted visitors (pages.ts). */
export const keyPages: readonly PageRoute[] = [
  { method: "GET", path: "/keys", for: "admins", page: listKeysPage },
  { method: "POST", path: "/keys", for: "admins", page: createKeyPage, creates: true },
  { method: "GET", path: "/keys/new", for: "admins", page: newKeyPage },
  { method: "GET", path: "/keys/assistant", for: "admins", page: newAssistantKeyPage },
  { method: "POST", path: "/keys/assistant", for: "admins", page: createAssistantKeyPage, creates: true },
  { method: "GET", path: "/keys/{id}", for: "admins", page: showKeyPage },
  { method: "POST", path: "/keys/{id}", for: "admins", page: renameKeyPage },
  { method: "GET", path: "/keys/{id}/revoke", for: "admins", page: askToRevokePage },
  { method: "POST", path: "/keys/{id}/revoke", for: "admins", page: revokeKeyPage },
  { method: "POST", path: "/keys/{id}/reroll", for: "admins", page: rerollKeyPage, creates: true },
];

/** The same of webhooks. */
export const webhookPages: readonly PageRoute[] = [
  { method: "GET", path: "/webhooks", for: "admins", page: listWebhooksPage },
  { method: "POST", path: "/webhooks", for: "admins", page: createWebhookPage, creates: true },
  { method: "GET", path: "/webhooks/new", for: "admins", page: newWebhookPage },
  { method: "GET", path: "/webhooks/{id}", for: "admins", page: showWebhookPage },
  { method: "GET", path: "/webhooks/{id}/edit", for: "admins", page: editWebhookPage },
  { method: "POST", path: "/webhooks/{id}", for: "admins", page: updateWebhookPage },
  { method: "POST", path: "/webhooks/{id}/test", for: "admins", page: testWebhookPage },
  { method: "POST", path: "/webhooks/{id}/rotate-secret", for: "admins", page: rotateSecretPage },
  { method: "GET", path: "/webhooks/{id}/delete", for: "admins", page: askToDeleteWebhookPage },
  { method: "POST", path: "/webhooks/{id}/delete", for: "admins", page: deleteWebhookPage },
  { method: "GET", path: "/webhooks/{id}/deliveries/{delivery}", for: "admins", page: deliveryPage },
  { method: "POST", path: "/webhooks/{id}/deliveries/{delivery}/redeliver", for: "admins", page: redeliverPage },
];
