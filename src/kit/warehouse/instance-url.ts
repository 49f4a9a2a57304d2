const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const PLACEHOLDER = "{subdomain}";

/** A subdomain as it is stored: one DNS label, in lower case; null if it is none. */
export function parseSubdomain(text: string): string | null {
  const label = text.trim().toLowerCase();
  return LABEL.test(label) ? label : null;
}

/**
 * LIAISON_WMS_URL without a trailing slash: http or https, with `{subdomain}` in its host. Throws with a message fit
 * for an operator.
 */
export function parseUrlTemplate(text: string): string {
  const template = text.replace(/\/+$/, "");
  const probe = "subdomain-of-a-company";
  const url = URL.parse(template.replace(PLACEHOLDER, probe));
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.hostname.includes(probe);
  const parts = [url?.username, url?.password, url?.search, url?.hash];
  const isPlain = !/[{}?#]/.test(template.replace(PLACEHOLDER, ""));
  if (!isAddress || !isPlain || parts.some((part) => part !== "")) {
    throw new Error("must be a URL like https://{subdomain}.wms.example/api/v1");
  }
  return template;
}

/** The address of a company's WMS, with a path that ends in a slash; null if the subdomain is none. */
export function instanceUrl(template: string, subdomain: string): URL | null {
  const label = parseSubdomain(subdomain);
  return label === null ? null : URL.parse(`${template.replace(PLACEHOLDER, label)}/`);
}

/** The lane of the jobs of a company of this subdomain, as migrations/functions/enqueue_wms_jobs.sql names it. */
export function laneOf(subdomain: string): string {
  return `wms/${subdomain}`;
}
