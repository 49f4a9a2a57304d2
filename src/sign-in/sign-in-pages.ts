import { confirmCode } from "../sessions/confirm-code.ts";
import { endSession, signIn } from "../sessions/session.ts";
import { inputRow } from "../web/forms/input-row.ts";
import type { OpenPage } from "../web/page.ts";
import { doorPages } from "./door-pages.ts";
import { signInWords } from "./sign-in-words.ts";

/** GET / */
export const homePage: OpenPage = async (_deps, { session }) => ({ to: session === null ? "/sign-in" : "/today" });

/** GET and POST /sign-in, /sign-in/code and /sign-out */
export const { signInPage, signInPost, signOutPost, codePage, codePost } = doorPages({
  cookie: "session",
  path: "/sign-in",
  home: "/today",
  sessionIn: ({ session }) => session,
  signIn: async (deps, attempt, form) => await signIn(deps, { ...attempt, workspace: form.get("workspace") ?? "" }),
  confirm: confirmCode,
  end: endSession,
  words: (language) => signInWords[language],
  about: () => null,
  moreFields({ form, query, language }) {
    const { workspace: label, workspaceHint: hint } = signInWords[language];
    const value = form.get("workspace") ?? query.get("workspace");
    return inputRow({ name: "workspace", label, hint, value, autocomplete: "organization", isVerbatim: true });
  },
});
