import { column, selectList } from "../../platform/postgres/statement.ts";

/** A stored row that an entry of a file is: the place of the entry (`r`), and the row's id (`k`). */
export const rowAgain = selectList({ place: column.number("r.place"), id: column.text("k.id") });
