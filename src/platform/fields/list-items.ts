import type { Field, FieldTable } from "./fields.ts";

type ItemFields = Readonly<Record<string, string | number | boolean | null>>;

/** A stored item of a list: its position among the others, from 1 and possibly with gaps, and its fields. */
export type ListItem = ItemFields & { readonly position: number };

/** The position of a stored item, as a field. */
export const positionField: Field = { name: "position", kind: "integer", min: 1, max: 2_147_483_647, required: true };

/** A list as it is stored: JSON, or null if it is empty. */
export function storedList(items: readonly ListItem[]): string | null {
  return items.length === 0 ? null : JSON.stringify(items);
}

export function listItems(stored: string | null): ListItem[] {
  return stored === null ? [] : (JSON.parse(stored) as ListItem[]);
}

/** The items of a list that was sent complete: their positions are their places in it. */
export function itemsInOrder(items: readonly ItemFields[]): ListItem[] {
  return items.map((item, index) => ({ position: index + 1, ...item }));
}

/** An item without its sparse fields that have no value. */
export function withoutAbsent<Item extends ItemFields>(fields: FieldTable, item: Item): Item {
  const absent = fields.filter(({ name, sparse }) => sparse && (item[name] ?? null) === null);
  if (absent.length === 0) return item;
  const kept: Record<string, string | number | boolean | null> = { ...item };
  for (const { name } of absent) delete kept[name];
  return kept as Item;
}

/** The list as the API answers it, JSON: positions are the order and nothing else. */
export function listJson(stored: string): string {
  return JSON.stringify(listItems(stored).map(({ position: _position, ...item }) => item));
}
