import { generateToken } from "../../src/platform/token.ts";
import { SEARCHES } from "../tenants/dataset.ts";
import { by, type Attack, type AttackRequest } from "./attack.ts";

const UNPACED = { burst: Infinity };
/** As many as one host can well have. */
const STRANGERS = { connections: 300, ...UNPACED };
const UNREAD = { unread: true, connections: 100 } as const;
const HANG_UP = { hangUp: 100 };

/** Words of which the first half is in every company, and none as a whole, not even but for a letter. */
const NOT_THERE = Array.from({ length: 8 }, (_, n) => `${SEARCHES.every.slice(0, 4)}${n}`.replace(/\d/, "xyz")).join(
  "+",
);

/** The worst that can be asked of the pages: by strangers, and by a tenant's user. */
export const pageAttacks: readonly Attack[] = [
  by("large", "member pages, strangers", () => page("/companies"), STRANGERS),
  by("large", "member pages, random cookies", () => page("/companies", randomCookie()), STRANGERS),
  by("large", "the sign-in page, random cookies", () => page("/sign-in", randomCookie()), STRANGERS),
  by("large", "operator pages, random cookies", () => page("/operator/tenants", randomCookie()), STRANGERS),
  by("large", "pages that are not there, strangers", (_rows, n) => page(`/nothing/${n}`), STRANGERS),
  by(
    "large",
    "pages that are not there, random cookies",
    (_rows, n) => page(`/nothing/${n}`, randomCookie()),
    STRANGERS,
  ),
  by("large", "the style sheet, random cookies", () => page("/assets/any/style.css", randomCookie()), STRANGERS),

  // Finding.
  by("large", "find, a letter wrong", ({ cookie }) => page(`/find?q=${SEARCHES.few.replace("m", "n")}`, cookie)),
  by("large", "find, no word is there", ({ cookie }) => page(`/find?q=${NOT_THERE}`, cookie)),
  by("large", "find, no word is there, hang up", ({ cookie }) => page(`/find?q=${NOT_THERE}`, cookie), HANG_UP),
  by("large", "find, phones", ({ cookie }, n) => page(`/find?q=${100_000 + (n % 900_000)}`, cookie)),

  // Downloads.
  by("fat", "fat export", ({ cookie }) => page("/export/companies.csv", cookie)),
  by("fat", "fat export, never read", ({ cookie }) => page("/export/companies.csv", cookie), UNREAD),
  by("fat", "fat export, hang up", ({ cookie }) => page("/export/companies.csv", cookie), HANG_UP),
  by(
    "large",
    "export of a filtered list, hang up",
    ({ cookie }) => page("/companies/export?status=active", cookie),
    HANG_UP,
  ),
  by("large", "HEAD of an export", ({ cookie }) => ({ ...page("/export/companies.csv", cookie), method: "HEAD" })),
  by("large", "refused rows", ({ cookie, refusedImport }) => page(`/imports/${refusedImport}/rejected.csv`, cookie)),
  by(
    "large",
    "refused rows, never read",
    ({ cookie, refusedImport }) => page(`/imports/${refusedImport}/rejected.csv`, cookie),
    UNREAD,
  ),
  by(
    "large",
    "refused rows, hang up",
    ({ cookie, refusedImport }) => page(`/imports/${refusedImport}/rejected.csv`, cookie),
    HANG_UP,
  ),
];

function page(path: string, cookie = ""): AttackRequest {
  return { method: "GET", path, headers: { accept: "text/html", ...(cookie === "" ? {} : { cookie }) } };
}

function randomCookie(): string {
  return `liaison=${generateToken()}`;
}
