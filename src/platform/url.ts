/** An HTTP address in full. One with a user name and a password is rejected: requests cannot send them. */
const HTTP_URL = /^https?:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/i;

/**
 * The address as it is requested, which is the same for all equivalent spellings; null for a text that is no address.
 */
export function parseHttpUrl(text: string): string | null {
  return HTTP_URL.test(text) && URL.canParse(text) ? new URL(text).href : null;
}
