import { integerSchema, named, nameOf, nullable, objectSchema, type Schema } from "./schema.ts";

/** The page envelope with all its members (docs/contract.md 5.1). @param item the items' schema */
export function pageSchema(item: Schema, name = nameOf(item)): Schema {
  const schema = objectSchema({
    current_page: currentPage,
    data: itemsOf(item),
    first_page_url: pageUrl,
    from: nullable({ ...position, description: "The position of the page's first item. Null on an empty page." }),
    last_page: integerSchema(1),
    last_page_url: pageUrl,
    next_page_url: nullable({ ...pageUrl, description: "Null on the last page, and beyond it." }),
    path: { ...pageUrl, description: "The list's address without its query." },
    per_page: perPage,
    prev_page_url: nullable({ ...pageUrl, description: "Null on the first page." }),
    to: nullable({ ...position, description: "The position of the page's last item. Null on an empty page." }),
    total,
  });
  return named(`${name}Page`, schema);
}

/** A page behind a cursor (docs/contract.md 5.7). @param item as that of `pageSchema` */
export function cursorPageSchema(item: Schema, name: string): Schema {
  const schema = objectSchema({
    data: itemsOf(item),
    next_cursor: nullable({ type: "string", description: "The `cursor` of the next page. Null at the end." }),
    per_page: perPage,
  });
  return named(`${name}CursorPage`, schema);
}

/** The page envelope without addresses and positions. @param item as that of `pageSchema` */
export function plainPageSchema(item: Schema): Schema {
  const schema = objectSchema({ current_page: currentPage, data: itemsOf(item), per_page: perPage, total });
  return named(`${nameOf(item)}Page`, schema);
}

function itemsOf(item: Schema): Schema {
  return { type: "array", maxItems: 200, items: item };
}

const currentPage: Schema = { ...integerSchema(1), description: "The requested page, also beyond the last one." };
const perPage: Schema = integerSchema(1, 200);
const total: Schema = { ...integerSchema(0), description: "Items of all pages; exact." };
const position: Schema = integerSchema(1);
const pageUrl: Schema = { type: "string", format: "uri", description: "Absolute, with the list's other parameters." };
