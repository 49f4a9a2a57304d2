/** The address of this server in the reference's own samples. */
export const EXAMPLE_ADDRESS = "https://crm.example.com";

/** That address, and the one in the commands of the documents, which a test runs. */
const EXAMPLES = /https:\/\/crm\.example\.com(?!\.?[\w-])|http:\/\/127\.0\.0\.1:3000(?!\d)/g;

/** The pages whose commands a reader copies: the first one and the guides. */
const WITH_COMMANDS = /^\/docs(?:$|\/guides\/)/;

/** Whether a page, a path without `.md`, has samples that begin with the server's address. */
export function namesAddress(path: string, text: string): boolean {
  return WITH_COMMANDS.test(path) && text.search(EXAMPLES) !== -1;
}

/** The text with the address by which its reader reached this server, so that a copied command works. */
export function withAddress(text: string, address: string): string {
  return text.replaceAll(EXAMPLES, () => address);
}
