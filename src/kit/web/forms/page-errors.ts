import { HttpError } from "../../../platform/http/http-error.ts";

/** Its page names the admins, and says whether a page or the right to export is theirs to give. */
export class AdminsOnly extends HttpError {
  readonly what: "page" | "export";
  constructor(what: "page" | "export") {
    super(403, { error: "Only admins may do this." });
    this.what = what;
  }
}

/** Errors that only pages return; error-page.ts has their messages by status. */
export const pageErrors = {
  adminsOnly: () => new AdminsOnly("page"),
  mayNotExport: () => new AdminsOnly("export"),
  tooManyValues: () => new HttpError(422, { error: "A form has fewer values." }),
  /** @param last URL of the last page */
  beyondTheLast: (last: string) => new HttpError(303, { message: "See other." }, { location: last }),
  foreignPage: () => new HttpError(403, { error: "This request does not come from a page of this server." }),
};
