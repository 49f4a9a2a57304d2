import type { InLanguages } from "../../../kit/web/language.ts";

/** The words about the place to which an invoice's goods go. */
export const deliveryWords = {
  en: {
    deliverTo: "Deliver to",
    askFor: (who: string) => `Ask for ${who}.`,
    ofCompany: "the company’s address",
    byDefault: (place: string) => `${place} (default)`,
    noStreet: (city: string | null) =>
      city === null
        ? "No street and no city: the warehouse gets no address."
        : `No street: the warehouse gets only “${city}”.`,
    addAddress: "Add the address",
    chosenDeleted: "The chosen address was deleted.",
    linesWithoutSku: "Lines without a SKU:",
    onlyDescriptions: "The warehouse gets only their descriptions.",
  },
  ro: {
    deliverTo: "Livrare la",
    askFor: (who: string) => `Persoană de contact: ${who}.`,
    ofCompany: "adresa firmei",
    byDefault: (place: string) => `${place} (implicită)`,
    noStreet: (city: string | null) =>
      city === null
        ? "Fără stradă și fără localitate: depozitul nu primește nicio adresă."
        : `Fără stradă: depozitul primește doar „${city}”.`,
    addAddress: "Adaugă adresa",
    chosenDeleted: "Adresa aleasă a fost ștearsă.",
    linesWithoutSku: "Poziții fără cod de produs:",
    onlyDescriptions: "Depozitul primește doar descrierile lor.",
  },
} satisfies InLanguages<object>;
