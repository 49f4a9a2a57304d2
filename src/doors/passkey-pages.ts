import { nameAccountPost, passkeyPage, passkeyPost } from "../people/passkeys/pages/door-pages.ts";
import {
  addPasskeyPost,
  askToRemovePasskeyPage,
  beginPasskeyPost,
  newPasskeyPage,
  removePasskeyPost,
} from "../people/passkeys/pages/own-pages.ts";
import { askToRemoveUsersPage, removeUsersPost, usersPasskeysPage } from "../people/passkeys/pages/users-pages.ts";
import type { PageRoute } from "./page-route.ts";

/** The pages of passkeys: their door, a user's own, and those of others for admins. */
export const passkeyPages: readonly PageRoute[] = [
  { method: "GET", path: "/sign-in/passkey", for: "everybody", page: passkeyPage },
  { method: "POST", path: "/sign-in/passkey", for: "everybody", page: passkeyPost },
  { method: "POST", path: "/sign-in/passkey/account", for: "everybody", page: nameAccountPost },
  { method: "GET", path: "/profile/passkeys", for: "signed-in", page: newPasskeyPage },
  { method: "POST", path: "/profile/passkeys", for: "signed-in", page: beginPasskeyPost },
  { method: "POST", path: "/profile/passkeys/add", for: "signed-in", page: addPasskeyPost },
  { method: "GET", path: "/profile/passkeys/{id}/remove", for: "signed-in", page: askToRemovePasskeyPage },
  { method: "POST", path: "/profile/passkeys/{id}/remove", for: "signed-in", page: removePasskeyPost },
  { method: "GET", path: "/users/{id}/passkeys", for: "admins", page: usersPasskeysPage },
  { method: "GET", path: "/users/{id}/passkeys/{passkey}/remove", for: "admins", page: askToRemoveUsersPage },
  { method: "POST", path: "/users/{id}/passkeys/{passkey}/remove", for: "admins", page: removeUsersPost },
];
