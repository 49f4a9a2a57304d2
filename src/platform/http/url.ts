/** The path and query of a request's first line, and the host if it names one, as a request to a proxy does. */
export function targetOf(url: string): { path: string; host: string | null } {
  if (url.startsWith("/")) return { path: url, host: null };
  const [, host = null, path = url] = /^https?:\/\/([^/?]*)(.*)$/i.exec(url) ?? [];
  return { path: path.startsWith("/") ? path : `/${path}`, host };
}

/** An id that cannot be decoded is a missing resource, not a bad request: a stray percent sign means itself. */
export function decodable(url: string): string {
  if (!url.includes("%")) return url;
  const [path, search] = splitOnce(url, "?");
  const rest = search === undefined ? "" : `?${search}`;
  const segments = path.split("/").map((segment) => {
    try {
      decodeURIComponent(segment);
      return segment;
    } catch {
      return segment.replaceAll("%", "%25");
    }
  });
  return segments.join("/") + rest;
}

/**
 * A query as a URI may contain it (RFC 3986, section 3.4): only disallowed characters are percent-encoded. The input
 * has bytes only.
 */
export function uriQuery(query: string): string {
  return query.replaceAll(/%(?![\dA-Fa-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
}

export function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

export function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
