/** The code of an error of the system or of Node, such as `ENOENT`; empty without one. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
