import type { InLanguages, Language } from "../../kit/web/language.ts";
import type { Refused } from "./guarded.ts";

const words = {
  en: {
    throttled: (seconds: string) => `Too many wrong attempts. Please try again in ${seconds} s.`,
    busy: "Many people are signing in at this moment. Please try again shortly.",
  },
  ro: {
    throttled: (seconds: string) =>
      `După mai multe încercări greșite urmează o pauză. Încercați din nou peste ${seconds} s.`,
    busy: "Se autentifică mulți oameni în acest moment. Încercați din nou imediat.",
  },
} satisfies InLanguages<object>;

/** The message for a failed attempt. @param wrong the message for a wrong guess */
export function refusalIn(
  language: Language,
  refused: Refused,
  wrong: string,
): { status: 422 | 429 | 503; message: string; headers: Record<string, string> } {
  if (refused.outcome === "wrong") return { status: 422, message: wrong, headers: {} };
  const { throttled, busy } = words[language];
  if (refused.outcome === "busy") return { status: 503, message: busy, headers: { "retry-after": "1" } };
  const seconds = String(refused.retryAfter);
  return { status: 429, message: throttled(seconds), headers: { "retry-after": seconds } };
}
