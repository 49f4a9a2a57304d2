import type { InLanguages } from "../../kit/web/language.ts";

export const lookUpWords = {
  en: {
    fillIn: "Fill in from fiscal id",
    filled: (name: string) =>
      `The register has ${name === "" ? "the company" : name}. Empty fields are filled in; nothing is saved yet.`,
    says: (value: string) => `In the register: ${value}`,
    vat: "Registered for VAT.",
    noVat: "Not registered for VAT.",
    title: (company: string) => `${company} in the register`,
    choose: "Values of the register to save",
    empty: "empty here",
    same: "Everything is as in the register.",
    save: "Save the chosen values",
    problems: {
      empty: "Enter the fiscal id first.",
      missing: "The register has no company with this fiscal id.",
      down: "The register does not answer. Try again, or enter the values yourself.",
      unreadable: "The register's answer cannot be read. Enter the values yourself, and tell your operator.",
      private:
        "The register has an address in a private network, which this server may not call. Its operator can allow the network by LIAISON_WMS_PRIVATE_NETWORKS.",
    },
  },
  ro: {
    fillIn: "Completează după codul fiscal",
    filled: (name: string) =>
      `Registrul are ${name === "" ? "firma" : name}. Câmpurile goale sunt completate; încă nu s-a salvat nimic.`,
    says: (value: string) => `În registru: ${value}`,
    vat: "Plătitoare de TVA.",
    noVat: "Neplătitoare de TVA.",
    title: (company: string) => `${company} în registru`,
    choose: "Valorile din registru de salvat",
    empty: "gol aici",
    same: "Totul este ca în registru.",
    save: "Salvează valorile alese",
    problems: {
      empty: "Introdu mai întâi codul fiscal.",
      missing: "Registrul nu are nicio firmă cu acest cod fiscal.",
      down: "Registrul nu răspunde. Încearcă din nou sau completează singur valorile.",
      unreadable:
        "Răspunsul registrului nu se poate citi. Completează singur valorile și anunță administratorul serverului.",
      private:
        "Registrul are o adresă dintr-o rețea privată, pe care acest server nu are voie să o apeleze. Operatorul o poate permite prin LIAISON_WMS_PRIVATE_NETWORKS.",
    },
  },
} satisfies InLanguages<object>;
