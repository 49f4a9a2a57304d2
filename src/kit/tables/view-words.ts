import { counted, type InLanguages } from "../web/language.ts";
import type { FieldLabels } from "../web/messages.ts";

/** Labels of saved views. */
export const viewWords = {
  en: {
    save: "Save view",
    saveTitle: "Save this list as a view",
    editTitle: "Edit the view",
    name: "Name",
    hint: "It appears in the navigation, with these filters and this order.",
    for: "For",
    forMe: "Me",
    forAll: "Everyone",
    delete: "Delete view",
    deleteForMe: "It disappears from your navigation. Its rows stay as they are.",
    deleteForAll: "It disappears from everybody's navigation. Its rows stay as they are.",
    saved: (name: string) => `“${name}” is in the navigation.`,
    renamed: "Saved.",
    deleted: "Deleted. The list is still here, to be saved again.",
    taken: "A view with this name exists already.",
    full: (most: number, isForAll: boolean) =>
      isForAll
        ? `Everybody has ${counted("en", most, { one: "view", other: "views" })}, which is the most. Delete one first.`
        : `You have ${counted("en", most, { one: "view", other: "views" })} of your own, which is the most. Delete one first.`,
    nothing: "There is nothing to save: choose a filter or an order first.",
    tooLong: "These filters are too long to be saved. Shorten the search.",
  },
  ro: {
    save: "Salvează lista",
    saveTitle: "Salvați această listă sub un nume",
    editTitle: "Modificați lista salvată",
    name: "Nume",
    hint: "Apare în meniu, cu aceste filtre și această ordine.",
    for: "Pentru",
    forMe: "Mine",
    forAll: "Toți",
    delete: "Șterge lista",
    deleteForMe: "Dispare din meniul dumneavoastră. Rândurile ei rămân cum sunt.",
    deleteForAll: "Dispare din meniul tuturor. Rândurile ei rămân cum sunt.",
    saved: (name: string) => `„${name}” este în meniu.`,
    renamed: "S-a salvat.",
    deleted: "S-a șters. Lista este încă aici și poate fi salvată din nou.",
    taken: "Există deja o listă cu acest nume.",
    full: (most: number, isForAll: boolean) =>
      isForAll
        ? `Pentru toți sunt deja ${counted("ro", most, { one: "listă", few: "liste", other: "de liste" })}, cât se poate. Ștergeți una mai întâi.`
        : `Aveți deja ${counted("ro", most, { one: "listă", few: "liste", other: "de liste" })}, cât se poate. Ștergeți una mai întâi.`,
    nothing: "Nu este nimic de salvat: alegeți mai întâi un filtru sau o ordine.",
    tooLong: "Aceste filtre sunt prea lungi pentru a fi păstrate. Scurtați căutarea.",
  },
} satisfies InLanguages<object>;

/** The fields of a view as people read them. */
export function viewLabels(language: keyof typeof viewWords): FieldLabels<"name" | "for"> {
  return { name: viewWords[language].name, for: viewWords[language].for };
}
