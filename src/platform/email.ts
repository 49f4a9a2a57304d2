import { codePoints } from "./text.ts";

const LOCAL = /^[^\s\p{C}\p{Z}()<>[\]:;@\\,."]+(?:\.[^\s\p{C}\p{Z}()<>[\]:;@\\,."]+)*$/u;
const LABEL = /^(?!-)(?:[A-Za-z0-9-]|(?![\p{C}\p{Z}])[^\x00-\x7f])+(?<!-)$/u;

/**
 * Whether the text is an e-mail address as RFC 5321 and 5322 write it without quoting or comments: a local part of at
 * most 64, a domain of labels of at most 63, at most 253 in all. The limit of the whole address is the field's own.
 */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1) return false;
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  return (
    codePoints(local) <= 64 &&
    codePoints(domain) <= 253 &&
    LOCAL.test(local) &&
    domain.split(".").every((label) => codePoints(label) <= 63 && LABEL.test(label))
  );
}
