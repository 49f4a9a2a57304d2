import type { InLanguages } from "../web/language.ts";

/** The words of what narrows the list of companies, and of its orders. */
export const narrowingWords = {
  en: {
    filters: "Filters",
    city: "City",
    callback: "Call back",
    orders: "Orders",
    search: "Search",
    callbacks: { due: "Due", set: "Planned" },
    states: { under_way: "Under way", attention: "Needs attention", none: "None" },
    sorts: {
      name: "Name, A to Z",
      "-name": "Name, Z to A",
      id: "Oldest first",
      "-id": "Newest first",
      callback_date: "Call back, soonest first",
      "-callback_date": "Call back, latest first",
      "-last_contacted_at": "Last contact, latest first",
      last_contacted_at: "Last contact, longest ago first",
      "-updated_at": "Changed last first",
      updated_at: "Unchanged longest first",
    },
    lastContact: "Last contact",
    changed: "Changed",
    narrowed: "In this list",
    remove: "Remove filter:",
    more: (most: string) =>
      `There may be more: the list looks through ${most} companies at most. Narrow it by status, owner or city.`,
  },
  ro: {
    filters: "Filtre",
    city: "Localitate",
    callback: "De sunat",
    orders: "Comenzi",
    search: "Căutare",
    callbacks: { due: "Acum", set: "Programate" },
    states: { under_way: "În curs", attention: "Necesită atenție", none: "Niciuna" },
    sorts: {
      name: "Denumire, A–Z",
      "-name": "Denumire, Z–A",
      id: "Cele mai vechi întâi",
      "-id": "Cele mai noi întâi",
      callback_date: "De sunat, cele mai apropiate întâi",
      "-callback_date": "De sunat, cele mai îndepărtate întâi",
      "-last_contacted_at": "Ultimul contact, cele mai recente întâi",
      last_contacted_at: "Ultimul contact, cele mai vechi întâi",
      "-updated_at": "Modificate recent întâi",
      updated_at: "Nemodificate de mult întâi",
    },
    lastContact: "Ultimul contact",
    changed: "Modificată",
    narrowed: "În această listă",
    remove: "Elimină filtrul:",
    more: (most: string) =>
      `Pot fi mai multe: lista caută printre cel mult ${most} de firme. Restrângeți-o după stare, responsabil sau localitate.`,
  },
} satisfies InLanguages<object>;
