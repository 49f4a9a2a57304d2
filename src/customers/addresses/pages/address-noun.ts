import { marked } from "../../../kit/web/mark.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import type { ChildNoun } from "../../company-children/pages/noun.ts";
import { addressLabels, addressValues, addressWords } from "../address-words.ts";
import { address } from "../address.ts";

/** The pages of addresses. */
export const addressNoun: ChildNoun = {
  child: address,
  labels: addressLabels,
  values: addressValues,
  words: addressWords,
  title: ({ label, address }) => label ?? address ?? "",
  common: new Set(["type", "label", "address", "city", "county", "postal_code", "is_default"]),
  columns: [
    { name: "type", cell: ({ type }, { language }) => addressValues[language].type?.[type ?? ""] ?? type },
    { name: "address", cell: ({ address }, { search }) => marked(address ?? null, search) },
    { name: "city", cell: ({ city }, { search }) => marked(city ?? null, search) },
    {
      name: "is_default",
      kind: "labelled",
      cell: ({ is_default: isDefault }, { language }) => isDefault === "true" && shellWords[language].yes,
    },
  ],
  action: null,
  sections: null,
  person: null,
  menu: null,
};
