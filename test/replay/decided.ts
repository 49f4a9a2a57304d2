/** Differences that a decision made, each with its reason. Empty after a release. */
export const decided: readonly { why: string; fits(kind: string, request: string): boolean }[] = [
  {
    why: "Payments are a kind of change, so errors name it, and an invoice that was paid has a change more.",
    fits: (kind, request) =>
      kind === "body.details changed"
        ? /types/.test(request)
        : kind.startsWith("body.data") && /\/(?:changes|history)\?/.test(request),
  },
  {
    why: "Invoices have more members, so a page of five is long enough to be compressed.",
    fits: (kind, request) => kind === "header vary changed" && request.includes("/invoices?"),
  },
];
