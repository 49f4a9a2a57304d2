import {
  beginPage,
  callbackPage,
  chooseWorkspacePage,
  logoutPost,
  tryPage,
} from "../people/single-sign-on/pages/door-pages.ts";
import { allowPasswordsPage, askForOnlyPage, onlyPost } from "../people/single-sign-on/pages/only-page.ts";
import {
  askToSwitchOffPage,
  settingsPage,
  settingsPost,
  switchOffPage,
  switchOnPage,
} from "../people/single-sign-on/pages/settings-page.ts";
import { unlinkPage } from "../people/single-sign-on/pages/unlink-page.ts";
import type { PageRoute } from "./page-route.ts";

/** The pages of single sign-on: its door, the provider's messages, and the settings of a workspace. */
export const singleSignOnPages: readonly PageRoute[] = [
  { method: "GET", path: "/sign-in/oidc", for: "everybody", page: chooseWorkspacePage },
  { method: "GET", path: "/sign-in/oidc/{workspace}", for: "everybody", page: beginPage },
  { method: "GET", path: "/sign-in/oidc/{workspace}/callback", for: "everybody", page: callbackPage },
  { method: "POST", path: "/sign-in/oidc/{workspace}/logout", from: "anywhere", for: "everybody", page: logoutPost },
  { method: "POST", path: "/users/{id}/single-sign-on/forget", for: "admins", page: unlinkPage },
  { method: "GET", path: "/workspace/sign-in", for: "admins", page: settingsPage },
  { method: "POST", path: "/workspace/sign-in", for: "admins", page: settingsPost },
  { method: "GET", path: "/workspace/sign-in/try", for: "admins", page: tryPage },
  { method: "POST", path: "/workspace/sign-in/on", for: "admins", page: switchOnPage },
  { method: "GET", path: "/workspace/sign-in/off", for: "admins", page: askToSwitchOffPage },
  { method: "POST", path: "/workspace/sign-in/off", for: "admins", page: switchOffPage },
  { method: "GET", path: "/workspace/sign-in/only", for: "admins", page: askForOnlyPage },
  { method: "POST", path: "/workspace/sign-in/only", for: "admins", page: onlyPost },
  { method: "POST", path: "/workspace/sign-in/passwords", for: "admins", page: allowPasswordsPage },
];
