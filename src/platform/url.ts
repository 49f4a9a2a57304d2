/** An HTTP address in full. One with a user name and a password is rejected: requests cannot send them. */
const HTTP_URL = /^https?:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/i;

/** The address as a request of it is made, which is the one spelling of all that mean the same; null of a text that is none. */
export function parseHttpUrl(text: string): string | null {
  return HTTP_URL.test(text) && URL.canParse(text) ? new URL(text).href : null;
}
