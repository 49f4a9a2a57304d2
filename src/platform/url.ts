/** An address that can be asked over HTTP, written out. One with a name and a password is none: requests have no place for them. */
export const HTTP_URL = /^https?:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/i;

export function isHttpUrl(text: string): boolean {
  return HTTP_URL.test(text) && URL.canParse(text);
}
