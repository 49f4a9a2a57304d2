import { HttpError } from "../../../platform/http/http-error.ts";

/** Its page names the admins. */
export class AdminsOnly extends HttpError {}

/** Errors that only pages return; error-page.ts has their messages by status. */
export const pageErrors = {
  adminsOnly: () => new AdminsOnly(403, { error: "Only admins may do this." }),
  tooManyValues: () => new HttpError(422, { error: "A form has fewer values." }),
  /** @param last URL of the last page */
  beyondTheLast: (last: string) => new HttpError(303, { message: "See other." }, { location: last }),
  foreignPage: () => new HttpError(403, { error: "This request does not come from a page of this server." }),
};
