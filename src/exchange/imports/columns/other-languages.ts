/**
 * Names of columns in German, French and Hungarian by field, behind those of dictionary.ts. `ss`, `ae`, `oe` and `ue`
 * stand for letters that some programs do not write.
 */
type Names = Readonly<Record<string, readonly string[]>>;

/** The names in a text, separated by commas. */
export function names(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}

const companyNames = names(`
  Firmenname, Unternehmen, Unternehmensname, Name des Unternehmens, Kunde, Kundenname, Accountname, Lieferant,
  Geschäftspartner, Geschaeftspartner, Zugeordnetes Unternehmen, Anzeigename des Rechnungspartners,
  Nom de l'entreprise, Nom entreprise, Entreprise, Société, Nom de la société, Raison sociale, Dénomination,
  Dénomination sociale, Nom du client, Nom client, Nom du compte, Compte, Organisme, Fournisseur, Entreprise associée,
  Nom d'affichage du partenaire de la facture,
  Cég, Cégnév, Cég neve, Vállalat, Vállalat neve, Vállalatnév, Szervezet, Szervezet neve, Ügyfél, Ügyfélnév,
  Ügyfél neve, Partner neve, Partnernév, Vevő, Vevő neve, Szállító, Szállító neve`);

const taxIds = names(`
  USt-IdNr, USt-Id, UStId, USt-Id-Nr, UStIdNr, EU-UStID, Umsatzsteuer-ID, Umsatzsteuer-Identifikationsnummer,
  Umsatzsteueridentifikationsnummer, Steuernummer, Steuer-ID, UID, UID-Nummer,
  N° TVA, No TVA, Numéro TVA, Numéro de TVA, N° de TVA, TVA intracommunautaire, N° TVA intracommunautaire,
  Numéro de TVA intracommunautaire, Identifiant fiscal,
  Adószám, Adószáma, Ügyfél adószáma, Partner adószáma, Vevő adószáma, Közösségi adószám, EU adószám`);

const invoiceNumbers = names(`
  Rechnungsnummer, Rechnungsnr, Rechnungs-Nr, Rechnung Nr, Rechnung, Re-Nr, Belegnummer, Belegnr, Beleg-Nr,
  Numéro de facture, N° facture, N° de facture, No facture, Facture n°, Facture, Numéro facture,
  Számla sorszáma, Számla száma, Számla, Bizonylatszám, Bizonylat száma`);

const mobiles = names(`
  Mobiltelefon, Mobiltelefonnummer, Mobilnummer, Handy, Handynummer, Mobilfunk,
  Téléphone mobile, Tél. mobile, Tél. portable, Téléphone portable, Portable, Numéro de téléphone mobile,
  Numéro de mobile, Numéro de portable,
  Mobil telefonszám, Mobilszám, Mobiltelefonszám`);

const phones = names(`
  Telefonnummer, Rufnummer, Festnetz, Telefon Zentrale, Telefonzentrale,
  Numéro de téléphone, Téléphone fixe, Tél. fixe, Fixe,
  Telefonszám, Vezetékes telefon, Vezetékes telefonszám, Primärtelefon`);

const contactPersons = names(`
  Ansprechpartner, Kontaktperson, Hauptkontakt, Name des Ansprechpartners,
  Personne de contact, Interlocuteur, Nom du contact,
  Kapcsolattartó, Kapcsolattartó neve, Kapcsolattartó személy`);

const ofAll: Names = {
  company_name: companyNames,
  name: [
    ...companyNames,
    ...names(`Anzeigename, Nom, Nom complet, Nom d'affichage, Név, Megnevezés, Megjelenítendő név, Teljes név`),
  ],
  tax_id: taxIds,
  company_tax_id: taxIds,
  registration_number: names(`
    Handelsregisternummer, Handelsregister, Handelsregister-Nr, HRB, Registernummer, Firmenbuchnummer,
    SIRET, SIREN, N° SIRET, N° SIREN, Numéro SIRET, Numéro SIREN, RCS, Numéro RCS, Cégjegyzékszám, Cégjegyzék szám`),
  address: names(`
    Straße, Strasse, Anschrift, Straße und Hausnummer, Straße Hausnummer, Strasse Hausnummer, Straße Nr, Hausanschrift,
    Adresszeile 1, Straße/Adresse, Rechnungsstraße, Rue, Adresse, Adresse postale, Voie, Ligne d'adresse 1,
    Adresse ligne 1, Cím, Utca, Utca házszám, Székhely, Székhely címe, Postacím, Lakcím`),
  city: names(`
    Ort, Stadt, Stadt/Ort, Ort/Stadt, Ortschaft, Gemeinde, Rechnungsort, Ville, Commune, Localité, Város, Település,
    Helység, Helységnév`),
  county: names(`
    Bundesland, Bundesland/Region, Bundesland/Kanton, Bundesland/Provinz, Kanton, Département, Dép/Région, État,
    État/Région, État/Province, Megye, Állam, Állam/Megye, Megye/Állam, Állam/Régió`),
  country: names(`
    Land, Land/Region, Ländercode, Laendercode, Länderkennzeichen, Pays, Pays/Région, Code pays, Ország, Ország/Régió,
    Országkód`),
  postal_code: names(`
    PLZ, Postleitzahl, Postleitzahl/Ort, Rechnungspostleitzahl, Code postal, Irányítószám, Irsz, Ir. szám,
    Postai irányítószám`),
  industry: names(`Branche, Wirtschaftszweig, Secteur, Secteur d'activité, Iparág, Ágazat`),
  website: names(`
    Webseite, Internet, Internetadresse, Webadresse, Domainname, Domainname des Unternehmens, URL der Website,
    Site internet, Page web, URL du site web, URL du site, Nom de domaine, Nom de domaine de l'entreprise,
    Weboldal, Webhely, Weblap, Honlap, Weboldal URL, Domain név`),
  phone: phones,
  mobile: mobiles,
  email: names(`
    E-Mail-Adresse, Emailadresse, Mailadresse, Mail-Adresse, Primäre E-Mail,
    Courriel, Adresse e-mail, Adresse mail, Adresse de messagerie, Adresse électronique, Mél, E-mails,
    E-mail cím, Emailcím, Elektronikus cím`),
  status: names(`Zustand, Statut, État, Állapot, Státusz`),
  assigned_to: names(`
    Zuständig, Zuständiger Mitarbeiter, Für das Unternehmen zuständiger Mitarbeiter, Betreuer, Kundenbetreuer,
    Verantwortlich, Verantwortlicher, Inhaber, Account-Inhaber, Inhaber des Accounts, Besitzer, Vertriebsmitarbeiter,
    Verkäufer, Propriétaire, Propriétaire du compte, Propriétaire de l'entreprise, Responsable, Responsable du compte,
    Vendeur, Commercial, Felelős, Ügyfélfelelős, Ügyfél tulajdonosa, Fiók tulajdonosa, Értékesítő, Ügyintéző`),
  notes: names(`
    Notizen, Notiz, Bemerkung, Bemerkungen, Anmerkung, Anmerkungen, Kommentar, Kommentare, Beschreibung,
    Remarque, Remarques, Commentaire, Commentaires, Observations, Megjegyzés, Megjegyzések, Jegyzet, Jegyzetek, Leírás`),
  managing_company: names(`
    Muttergesellschaft, Konzern, Übergeordneter Account, Übergeordnetes Unternehmen, Société mère, Compte parent,
    Entreprise parente, Maison mère, Anyavállalat, Anyacég`),
  employee_count: names(`
    Mitarbeiter, Anzahl Mitarbeiter, Anzahl der Mitarbeiter, Mitarbeiterzahl, Mitarbeiteranzahl, Employés,
    Nombre d'employés, Effectif, Effectifs, Nombre de salariés, Salariés, Alkalmazottak, Alkalmazottak száma, Létszám,
    Dolgozók száma`),
  activity_domain: names(`
    Tätigkeit, Geschäftszweig, Activité, Activité principale, Tevékenység, Tevékenységi kör, Főtevékenység`),
  fiscal_address: names(`
    Rechnungsadresse, Rechnungsanschrift, Adresse de facturation, Siège social, Számlázási cím`),
  contact_person: contactPersons,
  contact_name: contactPersons,
  delivery_notes: names(`Lieferhinweise, Lieferhinweis, Instructions de livraison, Szállítási megjegyzés`),
  payment_days: names(`
    Zahlungsziel, Zahlungsfrist, Zahlungsziel Tage, Zahlungsbedingungen, Délai de paiement, Conditions de paiement,
    Fizetési feltételek, Fizetési határidő`),
  credit_limit: names(`Kreditlimit, Kreditrahmen, Plafond de crédit, Limite de crédit, Hitelkeret, Hitellimit`),
  callback_date: names(`Wiedervorlage, Date de rappel, Rappel, À rappeler, Visszahívás, Visszahívás dátuma`),

  first_name: names(`Vorname, Rufname, Prénom, Keresztnév, Utónév`),
  last_name: names(`Nachname, Familienname, Zuname, Nom, Nom de famille, Vezetéknév, Családnév`),
  full_name: names(`
    Vollständiger Name, Vor- und Nachname, Anzeigename, Nom complet, Prénom et nom, Nom et prénom, Nom prénom,
    Nom d'affichage, Teljes név, Név, Megjelenítendő név, ${contactPersons.join(",")}`),
  department: names(`Abteilung, Service, Osztály, Részleg`),
  job_title: names(`
    Jobtitel, Stellenbezeichnung, Berufsbezeichnung, Jobbezeichnung, Funktion, Titel, Beruf, Intitulé du poste, Poste,
    Poste occupé, Fonction, Titre du poste, Profession, Titre, Beosztás, Munkakör, Pozíció`),
  is_primary: names(`Hauptansprechpartner, Elsődleges, Elsődleges kapcsolattartó`),
  is_decision_maker: names(`Entscheider, Entscheidungsträger, Décideur, Döntéshozó`),
  preferred_language: names(`Sprache, Bevorzugte Sprache, Korrespondenzsprache, Langue, Langue préférée, Nyelv`),
  birth_date: names(`
    Geburtstag, Geburtsdatum, Date de naissance, Naissance, Anniversaire, Születésnap, Születési dátum, Születési idő`),
  gender: names(`Geschlecht, Sexe, Genre, Nem`),
  timezone: names(`Zeitzone, Fuseau horaire, Időzóna`),

  type: names(`Adresstyp, Adressart, Art der Adresse, Type d'adresse, Cím típusa`),
  label: names(`Bezeichnung, Libellé, Megnevezés, Név, Nom`),
  is_default: names(`Standardadresse, Adresse par défaut, Par défaut, Alapértelmezett`),

  number: [...invoiceNumbers, ...names(`Nummer, Nr, Numéro, N°, Számlaszám, Sorszám, Szám`)],
  invoice_number: invoiceNumbers,
  issued_on: names(`
    Rechnungsdatum, Belegdatum, Ausstellungsdatum, Datum, Date de facture, Date de facturation, Date facture,
    Date d'émission, Számla kelte, Kiállítás dátuma, Számla dátuma, Kelt, Kelte, Dátum`),
  due_on: names(`
    Fällig, Fälligkeit, Fälligkeitsdatum, Faelligkeitsdatum, Fällig am, Zahlbar bis, Échéance, Date d'échéance,
    Esedékesség, Esedékesség dátuma, Esedékesség napja, Fizetési határidő, Lejárat`),
  total: names(`
    Gesamtbetrag, Bruttobetrag, Rechnungsbetrag, Brutto, Gesamt brutto, Gesamt, Gesamtsumme, Endbetrag, Summe, Betrag,
    Gesamt in Währung mit Vorzeichen, Total TTC, Montant TTC, Montant total, Montant, Total en devise signé,
    Bruttó végösszeg, Bruttó összeg, Bruttó érték, Bruttó, Végösszeg, Összesen, Fizetendő, Fizetendő összeg, Összeg`),
  currency: names(`Währung, Waehrung, WKZ, Währungskennzeichen, Devise, Monnaie, Pénznem, Devizanem, Deviza`),
  wms_order_number: names(
    `Auftragsnummer, Bestellnummer, Numéro de commande, N° commande, Rendelésszám, Megrendelésszám`,
  ),

  sku: names(`
    Artikelnummer, Artikelnr, Artikel-Nr, Art-Nr, Référence, Réf, Code article, Référence article, Cikkszám, Termékkód`),
  description: names(`
    Bezeichnung, Artikelbezeichnung, Artikel, Beschreibung, Leistung, Produkt, Désignation, Libellé, Produit, Article,
    Megnevezés, Termék, Terméknév, Tétel megnevezése`),
  quantity: names(`Menge, Anzahl, Quantité, Qté, Mennyiség`),
  unit_price: names(`
    Einzelpreis, Stückpreis, Preis, EP, Prix unitaire, Prix unitaire HT, PU HT, Prix, Egységár, Nettó egységár`),
  unit: names(`Einheit, Mengeneinheit, ME, Unité, Unité de mesure, Mértékegység, Egység`),
  vat_rate: names(`
    MwSt, MwSt-Satz, USt, USt-Satz, Steuersatz, Taux TVA, Taux de TVA, Áfa, Áfa kulcs, Áfakulcs, Áfa százalék`),

  amount: names(`
    Betrag, Zahlbetrag, Zahlungsbetrag, Haben, Gutschrift, Eingang, Betrag in EUR, Wert, Auftragswert, Deal-Wert,
    Montant, Montant opération, Montant de l'opération, Montant payé, Montant du paiement, Encaissement, Valeur,
    Összeg, Tranzakció összege, Könyvelt összeg, Jóváírás, Jóváírás összege, Befizetett összeg, Fizetett összeg, Érték`),
  debit: names(`
    Soll, Belastung, Lastschrift, Ausgang, Décaissement, Terhelés, Terhelés összege`),
  paid_on: names(`
    Zahlungsdatum, Zahldatum, Bezahlt am, Buchungstag, Buchungsdatum, Buchung, Datum, Valutadatum, Wertstellung,
    Wertstellungsdatum, Date de paiement, Date du paiement, Payé le, Date opération, Date d'opération,
    Date de l'opération, Date de comptabilisation, Date comptable, Date de valeur, Date valeur, Fizetés dátuma,
    Fizetés napja, Könyvelés dátuma, Könyvelés napja, Könyvelési dátum, Tranzakció dátuma, Tranzakció időpontja, Dátum,
    Értéknap`),
  means: names(`
    Zahlungsart, Zahlungsweise, Zahlungsmethode, Mode de paiement, Mode de règlement, Moyen de paiement, Fizetési mód,
    Fizetés módja`),
  reference: names(`
    Kundenreferenz (End-to-End), Kundenreferenz, End-to-End-Referenz, Ende-zu-Ende-Referenz, Referenz, Referenznummer,
    Transaktions-ID, Référence opération, Référence de l'opération, N° opération, Numéro d'opération,
    Tranzakció azonosító, Tranzakció azonosítója, Banki tranzakció azonosító, Hivatkozás, Referencia`),
  text: names(`
    Verwendungszweck, Zahlungsgrund, Zweck, Buchungsinformationen, Buchungstext, Libellé, Libellé opération,
    Libellé de l'opération, Libellé complet opération, Libellé simplifié, Motif, Informations complémentaires,
    Közlemény, Megjegyzés, Leírás`),

  title: names(`
    Titel, Betreff, Bezeichnung, Deal-Titel, Deal-Name, Titre, Objet, Intitulé, Nom de l'opportunité,
    Nom de la transaction, Nom de l'affaire, Tárgy, Megnevezés, Lehetőség neve, Név, Nom`),
  starts_on: names(`Beginn, Startdatum, Début, Date de début, Kezdet, Kezdés, Kezdő dátum, Kezdés dátuma`),
  ends_on: names(`
    Ende, Enddatum, Abschlussdatum, Voraussichtliches Abschlussdatum, Erwartetes Abschlussdatum, Gültig bis, Fin,
    Date de fin, Date de clôture, Date de clôture prévue, Date de fermeture, Date de clôture attendue, Vége, Befejezés,
    Záró dátum, Lezárás dátuma, Várható lezárás dátuma, Várható zárás`),
};

/** Companies and addresses have one number. */
const ofOneNumber: Names = { ...ofAll, phone: [...phones, ...mobiles] };

/** The names of a kind's columns by field. */
export function otherNamesOf(kind: string): Names {
  return kind === "companies" || kind === "addresses" ? ofOneNumber : ofAll;
}
