/** The path and query of a request's first line, and the host where that names one too, as a request to a proxy does. */
export function targetOf(url: string): { path: string; host: string | null } {
  if (url.startsWith("/")) return { path: url, host: null };
  const [, host = null, path = url] = /^https?:\/\/([^/?]*)(.*)$/i.exec(url) ?? [];
  return { path: path.startsWith("/") ? path : `/${path}`, host };
}

/** An undecodable id is a missing resource, not a bad request: a stray percent sign stands for itself. */
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

export function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

export function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
