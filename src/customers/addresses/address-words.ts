import type { ValueLabels } from "../../kit/web/field-value.ts";
import type { InLanguages } from "../../kit/web/language.ts";
import type { FieldLabels } from "../../kit/web/messages.ts";
import type { NameOf } from "../../platform/fields/fields.ts";
import type { ChildWords } from "../company-children/pages/noun.ts";
import type { addressFields } from "./address.ts";

/** The address's fields as people read them. */
export const addressLabels: InLanguages<FieldLabels<NameOf<typeof addressFields>>> = {
  en: {
    type: "Type",
    label: "Name",
    address: "Address",
    city: "City",
    county: "County",
    country: "Country",
    postal_code: "Postal code",
    contact_name: "Ask for",
    phone: "Phone",
    delivery_notes: "Delivery notes",
    is_default: "Default address",
  },
  ro: {
    type: "Tip",
    label: "Denumire",
    address: "Adresă",
    city: "Localitate",
    county: "Județ",
    country: "Țară",
    postal_code: "Cod poștal",
    contact_name: "Persoană de contact la livrare",
    phone: "Telefon",
    delivery_notes: "Note de livrare",
    is_default: "Adresă implicită",
  },
};

export const addressValues: InLanguages<ValueLabels> = {
  en: {
    type: { fiscal: "Registered", billing: "Billing", delivery: "Delivery", office: "Office", other: "Other" },
  },
  ro: {
    type: { fiscal: "Domiciliu fiscal", billing: "Facturare", delivery: "Livrare", office: "Birou", other: "Altele" },
  },
};

export const addressWords: InLanguages<ChildWords> = {
  en: {
    title: "Addresses",
    search: "Name, address or city",
    newTitle: (company) => `New address for ${company}`,
    create: "Create address",
    empty: "No addresses yet. Add the one you deliver to.",
    nothing: (search) => `No address has “${search}” in its name, address or city.`,
    deleting: "The address disappears from all lists. Its history stays, and you can undo this.",
    delete: "Delete address",
    created: "Created.",
    saved: "Saved.",
    deleted: (name) => `The address “${name}” was deleted.`,
    restored: "Restored.",
  },
  ro: {
    title: "Adrese",
    search: "Denumire, adresă sau localitate",
    newTitle: (company) => `Adresă nouă la ${company}`,
    create: "Adaugă adresa",
    empty: "Nu există încă nicio adresă. Adăugați-o pe cea la care livrați.",
    nothing: (search) => `Nicio adresă nu are „${search}” în denumire, adresă sau localitate.`,
    deleting: "Adresa dispare din toate listele. Ce s-a întâmplat rămâne în istoric, iar ștergerea poate fi anulată.",
    delete: "Șterge adresa",
    created: "Adăugată.",
    saved: "Salvată.",
    deleted: (name) => `Adresa „${name}” a fost ștearsă.`,
    restored: "Restaurată.",
  },
};
