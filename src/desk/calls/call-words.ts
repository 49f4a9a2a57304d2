import type { InLanguages } from "../../kit/web/language.ts";

/** The words of calls to come. */
export const callWords = {
  en: {
    title: "Calls to come",
    plan: "Plan a call",
    planFor: (company: string) => `Plan a call with ${company}`,
    change: (company: string) => `Call with ${company}`,
    anybody: "Anyone",
    owner: "The owner of the company",
    over: "No call needed",
    isOver: "The call is no longer planned.",
    planned: "The call is planned.",
    saved: "Saved.",
    kept: "Both calls are planned.",
    forUser: (name: string) => `for ${name}`,
  },
  ro: {
    title: "Apeluri programate",
    plan: "Programează un apel",
    planFor: (company: string) => `Programați un apel către ${company}`,
    change: (company: string) => `Apel către ${company}`,
    anybody: "Oricine",
    owner: "Responsabilul firmei",
    over: "Nu mai e nevoie",
    isOver: "Apelul nu mai este programat.",
    planned: "Apelul este programat.",
    saved: "Salvat.",
    kept: "Ambele apeluri sunt programate.",
    forUser: (name: string) => `pentru ${name}`,
  },
} satisfies InLanguages<object>;
