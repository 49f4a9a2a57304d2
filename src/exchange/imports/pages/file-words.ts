import type { InLanguages } from "../../../kit/web/language.ts";
import type { Encoding } from "../reading/reading.ts";

/** The encodings of files. */
export const encodingWords: InLanguages<Readonly<Record<Encoding, string>>> = {
  en: {
    "utf-8": "UTF-8",
    "utf-16le": "UTF-16",
    "utf-16be": "UTF-16 (big-endian)",
    "windows-1250": "Windows-1250 (Central European)",
    "windows-1252": "Windows-1252 (Western European)",
    "iso-8859-2": "ISO 8859-2",
    "iso-8859-16": "ISO 8859-16",
    cp852: "CP852 (DOS)",
    macintosh: "Mac (Western European)",
    "x-mac-romanian": "Mac (Romanian)",
    "x-mac-ce": "Mac (Central European)",
  },
  ro: {
    "utf-8": "UTF-8",
    "utf-16le": "UTF-16",
    "utf-16be": "UTF-16 (big-endian)",
    "windows-1250": "Windows-1250 (Europa Centrală)",
    "windows-1252": "Windows-1252 (Europa de Vest)",
    "iso-8859-2": "ISO 8859-2",
    "iso-8859-16": "ISO 8859-16",
    cp852: "CP852 (DOS)",
    macintosh: "Mac (Europa de Vest)",
    "x-mac-romanian": "Mac (română)",
    "x-mac-ce": "Mac (Europa Centrală)",
  },
};

/** Messages for unknown names, by the field that has the name. */
export const noSuch: InLanguages<Readonly<Record<string, string>>> = {
  en: {
    company_id: "No company has this number",
    company_name: "No company has this name or fiscal id",
    company_tax_id: "No company has this fiscal id",
    invoice_number: "No invoice has this number",
  },
  ro: {
    company_id: "Nicio firmă nu are acest număr",
    company_name: "Nicio firmă nu are această denumire sau acest cod fiscal",
    company_tax_id: "Nicio firmă nu are acest cod fiscal",
    invoice_number: "Nicio factură nu are acest număr",
  },
};
