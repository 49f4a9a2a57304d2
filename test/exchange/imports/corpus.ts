import { companies } from "./corpus-companies.ts";
import type { CorpusFile } from "./corpus-file.ts";
import { lists } from "./corpus-lists.ts";
import { others } from "./corpus-others.ts";

/** Files in two languages, from Excel, LibreOffice, Google, accounting programs and by hand. */
export const corpus: CorpusFile[] = [...lists, ...companies, ...others];
