/** The value of the parameter `format` for a workbook instead of CSV. */
export const XLSX = "xlsx";

/** The address of the same file as a workbook. */
export function workbookHref(href: string): string {
  return `${href}${href.includes("?") ? "&" : "?"}format=${XLSX}`;
}
