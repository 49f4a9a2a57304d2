import { HttpError } from "../../platform/http/http-error.ts";

/** The errors that only pages answer; error-page.ts has their words by status. */
export const pageErrors = {
  adminsOnly: () => new HttpError(403, { error: "Only admins may do this." }),
  tooManyValues: () => new HttpError(422, { error: "A form has fewer values." }),
  /** @param last page's address */
  beyondTheLast: (last: string) => new HttpError(303, { message: "See other." }, { location: last }),
  foreignPage: () => new HttpError(403, { error: "This request does not come from a page of this server." }),
};
