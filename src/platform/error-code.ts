/** The code of an error of the system or of Node, such as `ENOENT`; empty without one. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Whether an error of the system is a file's: Node begins the message with the code, a socket's with the call. */
export function isOfFile(error: unknown): boolean {
  const code = errorCode(error);
  return code !== "" && error instanceof Error && error.message.startsWith(`${code}: `);
}
