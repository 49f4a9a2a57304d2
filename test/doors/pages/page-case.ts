import type { TestTenant } from "../../harness.ts";
import type { Form, Visitor } from "./visitor.ts";

/** A page as the tests visit it. A new page of src/doors/pages.ts gets a row here, or they fail. */
export type PageCase = {
  /** As in src/doors/pages.ts. */
  page: string;
  /** The path for a tenant's own resource, made anew; without one the path has no parameter. @param who visits it */
  of?: (tenant: TestTenant, who: Visitor) => Promise<string>;
  /** The form that the post takes. */
  form?: Form;
  /** The status for somebody who may: 200 for a page, 303 for a form that was right, unless it says otherwise. */
  status?: number;
  /** The session of its visitor ends with it. */
  endsSession?: true;
  /** Somebody else than nobody or an admin, who sees it in a browser. */
  seenBy?: "halfway" | "operator";
  /** A file, which a browser stores and does not show. */
  isFile?: true;
};
