import type { Language } from "../web/language.ts";

/** The mails of an hour that are counted together: those about accounts, notices of security, and two to customers. */
type Counted = "workspace" | "security" | "reminders" | "invoices";

/**
 * Every kind of mail. `most`: the limit of an hour for a mail of this kind, over all kinds of its count. Beyond it the
 * mail waits. Kinds that strangers or the clock cause leave room for the others.
 */
export const mailKinds = {
  invitation: { counted: "workspace", most: 50 },
  "password-link": { counted: "workspace", most: 50 },
  "forgotten-password": { counted: "workspace", most: 40 },
  "daily-digest": { counted: "workspace", most: 40 },
  "new-sign-in": { counted: "security", most: 50 },
  "second-factor-off": { counted: "security", most: 50 },
  "key-created": { counted: "security", most: 50 },
  exported: { counted: "security", most: 40 },
  "passkey-added": { counted: "security", most: 50 },
  "passkey-removed": { counted: "security", most: 50 },
  "address-changed": { counted: "security", most: 50 },
  reminder: { counted: "reminders", most: 1_000 },
  invoice: { counted: "invoices", most: 50 },
} as const satisfies Record<string, { counted: Counted; most: number }>;

export type MailKind = keyof typeof mailKinds;

/** The kinds with a link for a new password: an address gets three of them in an hour. */
export const passwordKinds: readonly MailKind[] = ["password-link", "forgotten-password"];
export const MOST_PASSWORD_LINKS = 3;

/** The kinds that are counted together with one. */
export function countedWith(kind: MailKind): MailKind[] {
  return (Object.keys(mailKinds) as MailKind[]).filter((each) => mailKinds[each].counted === mailKinds[kind].counted);
}

/** One group of a digest: its title, and the first of its things. */
export type DigestGroup = { title: string; total: string; things: { text: string; path: string }[] };

/** An invoice of a reminder, and a sum below them, as they are written in the letter. */
export type LetterRow = { text: string; amount: string };

/** A file of a mail. */
export type Attachment = { filename: string; contentType: string; content: Buffer };

/** The content of each kind of mail. It is stored encrypted, because the path of a link has its token. */
export type MailDetails = {
  /** `language`: of the admin's page; null: of the workspace's country. `invitedBy`: null: a command. */
  invitation: { language: Language | null; path: string; invitedBy: string | null };
  /** Made by an admin. */
  "password-link": { path: string; madeBy: string };
  /** `language`: of the page on which it was asked for. The path is made when the mail is sent. */
  "forgotten-password": { language: Language; path?: string };
  /** `at`: milliseconds since the epoch. */
  "new-sign-in": { at: number; browser: string | null; network: string };
  /** `by`: another person, or an operator's command; null: the person's own account. */
  "second-factor-off": { at: number; by: { name: string } | "command" | null };
  "key-created": { at: number; name: string; by: { name: string } | "command" };
  /** A file of many rows. */
  exported: { at: number; file: string; rows: number; by: { name: string } };
  /** `name`: the person's name for the passkey. `by`: an admin; null: the person. */
  "passkey-added": { at: number; name: string; by: { name: string } | null };
  "passkey-removed": { at: number; name: string; by: { name: string } | null };
  /** To the earlier address. `language`: the user's; null: of the workspace's country. */
  "address-changed": { at: number; language: Language | null; to: string; by: { name: string } };
  /** `groups` and `unsubscribe` are made when the mail is sent. */
  "daily-digest": { groups?: DigestGroup[]; unsubscribe?: string };
  /** To a customer, about overdue invoices. `rows` are made when the mail is sent; replies go to `replyTo`. */
  reminder: {
    language: Language;
    subject: string;
    opening: string;
    closing: string;
    replyTo: { name: string; address: string };
    rows?: LetterRow[];
  };
  /** To a customer, with an invoice as PDF, which is made when the mail is sent. `by`: the author of a change. */
  invoice: {
    language: Language;
    subject: string;
    text: string;
    replyTo: { name: string; address: string };
    invoice: string;
    contactId: string | null;
    by: string;
    attachment?: Attachment;
  };
};

/** A mail to be sent. */
export type Mail<Kind extends MailKind = MailKind> = { [K in Kind]: { kind: K; details: MailDetails[K] } }[Kind];
