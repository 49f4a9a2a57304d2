import { nullable, objectSchema, refTo, type Schema } from "./schema.ts";

/** The page envelope with all its members (docs/contract.md 5.1). @param item the name of the items' schema */
export function pageSchema(item: string): Schema {
  return objectSchema({
    current_page: currentPage,
    data: itemsOf(item),
    first_page_url: pageUrl,
    from: nullable({ ...position, description: "The position of the page's first item. Null on an empty page." }),
    last_page: { type: "integer", minimum: 1 },
    last_page_url: pageUrl,
    next_page_url: nullable({ ...pageUrl, description: "Null on the last page, and beyond it." }),
    path: { ...pageUrl, description: "The list's address without its query." },
    per_page: perPage,
    prev_page_url: nullable({ ...pageUrl, description: "Null on the first page." }),
    to: nullable({ ...position, description: "The position of the page's last item. Null on an empty page." }),
    total,
  });
}

/** A page behind a cursor (docs/contract.md 5.7). @param item the name of the items' schema */
export function cursorPageSchema(item: string): Schema {
  return objectSchema({
    data: itemsOf(item),
    next_cursor: nullable({ type: "string", description: "The `cursor` of the next page. Null at the end." }),
    per_page: perPage,
  });
}

/** The page envelope without addresses and positions. @param item the name of the items' schema */
export function plainPageSchema(item: string): Schema {
  return objectSchema({ current_page: currentPage, data: itemsOf(item), per_page: perPage, total });
}

function itemsOf(item: string): Schema {
  return { type: "array", maxItems: 200, items: refTo(item) };
}

const currentPage: Schema = { type: "integer", minimum: 1, description: "As asked for, also beyond the last page." };
const perPage: Schema = { type: "integer", minimum: 1, maximum: 200 };
const total: Schema = { type: "integer", minimum: 0, description: "Of all pages together; exact." };
const position: Schema = { type: "integer", minimum: 1 };
const pageUrl: Schema = { type: "string", format: "uri", description: "Absolute, with the list's other parameters." };
