/** The export of a service: the kind of its rows, and each column with a value and its field; empty without one. */
export type Export = {
  of: string;
  kind: string;
  columns: readonly (readonly [name: string, value: string, field: string])[];
};

/** A value of each field. */
const VALUES: Readonly<Record<string, string>> = {
  name: "Muster GmbH",
  company_name: "Muster GmbH",
  tax_id: "DE811907980",
  registration_number: "HRB 12345",
  address: "Hauptstraße 5",
  city: "Köln",
  county: "Nordrhein",
  country: "Germany",
  postal_code: "50667",
  industry: "Lebensmittel",
  website: "https://muster.example",
  phone: "+49 221 555 01 00",
  mobile: "+49 171 555 01 01",
  email: "info@muster.example",
  assigned_to: "Ana Pop",
  employee_count: "25",
  notes: "Tee",
  first_name: "Jürgen",
  last_name: "Weiß",
  full_name: "Jürgen Weiß",
  department: "Einkauf",
  job_title: "Leiter",
  position: "Leiter",
  birth_date: "31.05.1980",
  gender: "male",
  contact_person: "Jürgen Weiß",
  number: "RE-2026-17",
  issued_on: "25.11.2026",
  due_on: "25.12.2026",
  total: "1190,00",
  currency: "EUR",
  amount: "119,00",
  debit: "12,00",
  paid_on: "25.11.2026",
  text: "RE-2026-17 Muster GmbH",
  reference: "NTB77120",
  title: "Angebot",
  ends_on: "30.11.2026",
  description: "Schrauben M4",
  sku: "S-4",
  quantity: "3",
  unit_price: "2,50",
  unit: "Stk",
  vat_rate: "19",
  invoice_number: "RE-2026-17",
};

/** @param columns `Name=field` or `Name`, with `Name:value` for one without a field that has values */
function exported(of: string, kind: string, columns: string): Export {
  return {
    of,
    kind,
    columns: columns.split("|").map((column) => {
      const [named = "", field = ""] = column.trim().split("=");
      const [name = "", value = VALUES[field] ?? ""] = named.split("::");
      return [name.trim(), value, field] as const;
    }),
  };
}

export const exportsInOtherLanguages: Export[] = [
  exported(
    "Outlook in German",
    "contacts",
    `Anrede::Herr|Vorname=first_name|Weitere Vornamen|Nachname=last_name|Suffix|Firma=company_name|Abteilung=department|
    Position=position|Straße geschäftlich::Hauptstraße 5|Ort geschäftlich::Köln|Postleitzahl geschäftlich::50667|
    Land/Region geschäftlich::DE|Fax geschäftlich::+49 221 555 01 99|Telefon geschäftlich=phone|
    Telefon privat::+49 221 555 01 77|Mobiltelefon=mobile|E-Mail-Adresse=email|E-Mail-Typ::SMTP|
    E-Mail: Angezeigter Name::Jürgen Weiß (info@muster.example)|Geburtstag=birth_date|Notizen=notes|Jahrestag::0.0.00`,
  ),
  exported(
    "Outlook in French",
    "contacts",
    `Civilité::M.|Prénom=first_name|Deuxième prénom|Nom=last_name|Suffixe|Société=company_name|Service=department|
    Fonction=job_title|Rue (bureau)::1 rue de Lyon|Ville (bureau)::Lyon|Code postal (bureau)::69001|
    Télécopie (bureau)::+33 4 55 50 01 99|Téléphone (bureau)=phone|Tél. mobile=mobile|Adresse de messagerie=email|
    Type de messagerie::SMTP|Anniversaire=birth_date|Notes=notes`,
  ),
  exported(
    "Outlook in Hungarian",
    "contacts",
    `Megszólítás::Úr|Vezetéknév=last_name|Utónév=first_name|Cég=company_name|Osztály=department|Beosztás=job_title|
    Hivatali cím – utca::Fő u. 1|Hivatali cím – város::Szeged|Hivatali telefon=phone|Mobiltelefon=mobile|
    E-mail cím=email|Születésnap=birth_date|Jegyzetek=notes`,
  ),
  exported(
    "HubSpot in German, companies",
    "companies",
    `Datensatz-ID::9001|Unternehmensname=name|Für das Unternehmen zuständiger Mitarbeiter=assigned_to|
    Erstellungsdatum::2026-11-01 10:00|Telefonnummer=phone|Stadt=city|Land/Region=country|Branche=industry|
    Straße=address|Postleitzahl=postal_code|Bundesland/Region=county|Domainname des Unternehmens=website|
    Anzahl der Mitarbeiter=employee_count`,
  ),
  exported(
    "HubSpot in French, contacts",
    "contacts",
    `ID de fiche d'informations::51|Prénom=first_name|Nom=last_name|Adresse e-mail=email|Numéro de téléphone=phone|
    Numéro de téléphone mobile=mobile|Intitulé du poste=job_title|Propriétaire du contact::Ana Pop|
    Entreprise associée=company_name|Date de création::2026-11-01 10:00`,
  ),
  exported(
    "Pipedrive in German, persons",
    "contacts",
    `Person - ID::12|Person - Name=full_name|Person - Organisation=company_name|Person - E-Mail - Arbeit=email|
    Person - Telefon - Arbeit=phone|Person - Mobil=mobile|Person - Besitzer::Ana`,
  ),
  exported(
    "Pipedrive in French, organizations",
    "companies",
    `Organisation - ID::7|Organisation - Nom=name|Organisation - Adresse=address|Organisation - Propriétaire=assigned_to|
    Organisation - Nombre d'employés=employee_count`,
  ),
  exported(
    "Salesforce in German, accounts",
    "companies",
    `Account-ID::0015g00000AbCdE|Accountname=name|Account-Inhaber=assigned_to|Rechnungsadresse (Straße)=address|
    Rechnungsadresse (Ort)=city|Rechnungsadresse (Bundesland/Kanton)=county|Rechnungsadresse (Postleitzahl)=postal_code|
    Rechnungsadresse (Land)=country|Lieferadresse (Straße)::Nebenweg 2|Lieferadresse (Ort)::Bonn|Telefon=phone|
    Fax::+49 221 555 01 99|Website=website|Branche=industry|Mitarbeiter=employee_count|Jahresumsatz::1.234.567,00`,
  ),
  exported(
    "Salesforce in French, accounts",
    "companies",
    `Nom du compte=name|Propriétaire du compte=assigned_to|Rue de facturation=address|Ville de facturation=city|
    Code postal de facturation=postal_code|Pays de facturation=country|Rue de livraison::2 rue de Metz|Téléphone=phone|
    Site Web=website|Secteur d'activité=industry|Employés=employee_count`,
  ),
  exported(
    "Salesforce in Hungarian, accounts",
    "companies",
    `Ügyfél neve=name|Ügyfél tulajdonosa=assigned_to|Számlázási utca=address|Számlázási város=city|
    Számlázási irányítószám=postal_code|Számlázási ország=country|Szállítási város::Pécs|Telefon=phone|Webhely=website|
    Iparág=industry|Alkalmazottak=employee_count`,
  ),
  exported(
    "Odoo in German",
    "companies",
    `Externe ID::p1|Anzeigename=name|Telefon=phone|E-Mail=email|Vertriebsmitarbeiter=assigned_to|Straße=address|
    Stadt=city|Bundesland=county|PLZ=postal_code|Land=country|USt-IdNr.=tax_id`,
  ),
  exported(
    "Odoo in French",
    "companies",
    `ID externe::p1|Nom d'affichage=name|Téléphone=phone|Courriel=email|Vendeur=assigned_to|Rue=address|Ville=city|
    Code postal=postal_code|Pays=country|N° TVA=tax_id`,
  ),
  exported(
    "Odoo in Hungarian",
    "companies",
    `Külső azonosító::p1|Megjelenítendő név=name|Telefon=phone|E-mail=email|Értékesítő=assigned_to|Utca=address|
    Város=city|Irányítószám=postal_code|Ország=country|Adószám=tax_id|Megye=county`,
  ),
  exported(
    "Odoo in German, invoices",
    "invoices",
    `Nummer=number|Anzeigename des Rechnungspartners=company_name|Rechnungsdatum=issued_on|Fälligkeitsdatum=due_on|
    Nettobetrag::1000,00|Gesamtbetrag=total|Währung=currency`,
  ),
  exported(
    "Odoo in Hungarian, invoices",
    "invoices",
    `Számlaszám=number|Partner neve=company_name|Számla kelte=issued_on|Fizetési határidő=due_on|
    Nettó összeg::1000,00|Bruttó összeg=total|Pénznem=currency`,
  ),
  exported(
    "Twenty in German, companies",
    "companies",
    `Id::8a1f|Name=name|Domainname / Link URL=website|Mitarbeiter=employee_count|Adresse / Straße=address|
    Adresse / Ort=city|Adresse / Postleitzahl=postal_code|Adresse / Land=country`,
  ),
  exported(
    "a bank in German, with the terms of CAMT",
    "payments",
    `Auftragskonto::DE02120300000000202051|Buchungstag=paid_on|Valutadatum::26.11.2026|Buchungstext::GUTSCHR.|
    Verwendungszweck=text|Glaeubiger ID|Mandatsreferenz|Kundenreferenz (End-to-End)=reference|
    Beguenstigter/Zahlungspflichtiger::Muster GmbH|Kontonummer/IBAN::DE02500105170137075030|
    BIC (SWIFT-Code)::INGDDEFFXXX|Betrag=amount|Waehrung::EUR|Info::Umsatz gebucht`,
  ),
  exported(
    "a bank in German, with two columns of amounts",
    "payments",
    `Buchungstag=paid_on|Wert::26.11.2026|Umsatzart::SEPA|Begünstigter / Auftraggeber::Muster GmbH|
    Verwendungszweck=text|IBAN::DE02500105170137075030|Soll=debit|Haben=amount|Währung::EUR`,
  ),
  exported(
    "a bank in French",
    "payments",
    `Date opération=paid_on|Date valeur::26/11/2026|Libellé=text|Débit euros=debit|Crédit euros=amount|Solde::1000,00`,
  ),
  exported(
    "a bank in Hungarian",
    "payments",
    `Könyvelés dátuma=paid_on|Tranzakció azonosító=reference|Típus::Jóváírás|Könyvelési számla::HU42117730161111101800000000|
    Partner elnevezése::Minta Kft.|Összeg=amount|Devizanem::HUF|Közlemény=text`,
  ),
  exported(
    "a warehouse's lines in German",
    "invoice_lines",
    `Rechnungsnummer=invoice_number|Artikelnummer=sku|Bezeichnung=description|Menge=quantity|Einheit=unit|
    Einzelpreis=unit_price|MwSt-Satz=vat_rate`,
  ),
  exported(
    "customers of an accountant in Hungarian",
    "companies",
    `Cégnév=name|Adószám=tax_id|Cégjegyzékszám=registration_number|Székhely=address|Kapcsolattartó=contact_person|
    Telefonszám=phone|Honlap=website|Megjegyzés=notes|Bankszámlaszám::11773016-11111018-00000000`,
  ),
];
