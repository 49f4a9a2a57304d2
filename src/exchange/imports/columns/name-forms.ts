import { folded } from "./folded.ts";
import { mended } from "./mended.ts";

/** A name of a column without some of what services add; `steps` is the number of words that were taken away. */
export type NameForm = { word: string; steps: number };

const BEFORE =
  /^(?:person|contact|organi[sz]ation|company|account|customer|billing|mailing|business|primary|main|work|associated|address|name|emails|phones|deal|persoana|organizatie|firma|client|factur\w*|principal\w*|kontakt|kunden|rechnungsadresse|rechnungsanschrift|postanschrift|adresse(?: de facturation)?|personne|compte|szemely|szervezet|ceg|cim|szamlazasi(?: cim)?|hivatali(?: cim)?) (?=.)/;
const AFTER =
  /(?<=.) (?:link url|id name|of address|din adresa|primary|value|formatted|name|work|home|persoana|principal\w*|facturare|lei|ron|euros?|eur|usd|gbp|huf|mdl|chf|geschaftlich|arbeit|bureau|travail|professionnel|(?:de )?facturation|hivatali|munkahelyi|[1-9])$/;
/** The second address of a company's is looked at behind the first, whatever the order of the columns. */
const SECOND =
  /^(?:shipping|delivery|other|livrare|lieferadresse|lieferanschrift|szallitasi(?: cim)?|adresse de livraison) (?=.)| (?:livrare|(?:de )?livraison)$/;

/**
 * The forms of a column's name, the closest first: `Person - Email - Work` is also `email work` and `email`. Names in
 * camel case are split, as programs write `BillingPostalCode`.
 */
export function nameForms(written: string): NameForm[] {
  const name = mended(written);
  const words = /^\w*[a-z][A-Z]\w*$/.test(name) ? name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ") : name;
  const forms: NameForm[] = [{ word: folded(words), steps: 0 }];
  const known = new Set(forms.map(({ word }) => word));
  for (const { word, steps } of forms) {
    // The loop meets the forms that it adds. Each is shorter, so it ends.
    const shorter: [string, number][] = [
      [word.replace(/ 1(?= )/, ""), 1],
      [word.replace(BEFORE, ""), 1],
      [word.replace(AFTER, ""), 1],
      [word.replace(SECOND, ""), 3],
    ];
    for (const [next, cost] of shorter) {
      if (known.has(next) || BARE.has(next)) continue;
      known.add(next);
      forms.push({ word: next, steps: steps + cost });
    }
  }
  return forms.toSorted((a, b) => a.steps - b.steps);
}

/** The rest of a name means nothing without the words before it: `Customer No.` is no number of an invoice. */
const BARE = new Set(["no", "nr", "number", "id", "cod", "code", "type", "tip", "label", "date", "data", "value"]);

/** Names of what has no field here, though its values may look like one. */
const OTHER =
  /\b(?:fax|ids?|type|typ|tipus\w*|tip|labels?|eticheta|photo|foto|telecopie|logo|image|avatar|linkedin|facebook|twitter|instagram|x link|creat\w*|modified|updated|activity|display|iban|bic|konto\w*|saldo|solde|egyenleg|erstellt\w*|geandert\w*|cree|modifie|letrehoz\w*|modosit\w*)\b/;
/** Names of numbers that may pass the check digit of a fiscal id by chance. */
const NUMBERED =
  /\b(?:zip|post\w*|nos?|nr|num\w*|cod|code|phone|tel\w*|mobil\w*|customer|client|articol|produs|sku|ref\w*|plz|kunden\w*|artikel\w*|\w*szam|irsz|cikk\w*)\b/;

/** Whether a name says what its values are, and that they are no field. */
export function saysOther(name: string): boolean {
  return OTHER.test(folded(name));
}

/** Whether a name says that its values are numbers of another kind than fiscal ids. */
export function saysNumbers(name: string): boolean {
  return NUMBERED.test(folded(name));
}
