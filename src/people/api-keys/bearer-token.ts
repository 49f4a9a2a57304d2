/** The token of an Authorization header. A key is one, however many blanks are around it. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^bearer\s+(\S.*)$/i.exec(authorization?.trim() ?? "")?.[1] ?? null;
}
