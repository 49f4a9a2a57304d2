import { names, otherNamesOf } from "./other-languages.ts";

/**
 * Names of columns in Romanian and English by field, as people write them, folded (folded.ts), without what services
 * add (name-forms.ts). Where two columns of a file have the same field, the earlier name wins. The labels of the pages
 * are known too.
 */
type Names = Readonly<Record<string, readonly string[]>>;

const TAX_IDS = names(`
  cui, cif, cod fiscal, c u i, c i f, cui cif, cif cui, cod fiscal cui, cod unic de inregistrare, cod de
  inregistrare fiscala, cod identificare fiscala, nr inregistrare fiscala, tax id, tax number, fiscal id,
  fiscal code, vat, vat id, vat no, vat number, vat code, cod tva, cui cnp, cif cnp, cui cif cnp`);

const STATUSES = names(`stare, status, state, statut, stare client, status client, customer status, stadiu`);

const CURRENCIES = names(`moneda, valuta, currency, curr, cod moneda, cod valuta, currency code`);

const PHONES = names(`
  telefon, phone, tel, nr telefon, nr tel, numar telefon, numar de telefon, telefon fix, telefon firma, phone number,
  phone no, telephone, contact phone, telefon contact`);
const MOBILES = names(`mobil, mobile, telefon mobil, tel mobil, mobile phone, cell, cell phone, gsm`);

const PLACE: Names = {
  address: names(`
    adresa, address, strada, street, adresa completa, street address, address line 1, sediu, adresa sediu, sediu
    social, adresa sediului, address 1, street 1, street road name, address formatted, full combined address, full
    address`),
  city: names(`
    oras, localitate, city, town, localitatea, orasul, municipiu, loc, oras localitate, localitate oras, city
    town village locality, suburb city, oras sat localitate, oras comuna sat localitate`),
  county: names(`
    judet, county, jud, judetul, judet sector, state county, county state, region, state province, regiune, state,
    state region, province, stat judet`),
  country: names(`tara, country, cod tara, country code, country region`),
};

const ofCompany: Names = {
  company_name: names(`
    denumire firma, nume firma, denumire client, nume client, denumire companie, nume companie, denumire
    societate, denumire partener, nume partener, company name, customer name, account name, business name, legal
    name, firma, companie, societate, client, partener, beneficiar, cumparator, company, customer, account,
    organization, organisation, organizatie, partner, buyer, bill to, denumire, organization name, organisation name,
    associated company, parent, invoice partner display name, customer display name`),
  company_tax_id: [
    ...names(`
      cui client, cui firma, cif client, cod fiscal client, client cui, customer tax id, company tax id, company vat,
      customer vat`),
    ...TAX_IDS,
  ],
};

const companies: Names = {
  ...PLACE,
  postal_code: names(`
    cod postal, postal code, zip, zip code, postcode, cp, c p, zip postal code, post code, billing code, mailing code`),
  name: names(`
    display name, complete name, denumire firma, nume firma, denumire client, nume client, denumire companie,
    nume companie, denumire societate, denumire partener, nume partener, company name, customer name, account
    name, business name, legal name, denumire, denumirea, firma, companie, societate, client, partener, company,
    customer, account, organization, organisation, organizatie, partner, name, nume, organization name, organisation name`),
  tax_id: TAX_IDS,
  registration_number: names(`
    nr reg com, reg com, nr reg comertului, registrul comertului, nr registrul comertului, numar registrul
    comertului, nr inmatriculare, numar inmatriculare, nr orc, j, nr inregistrare, registration number,
    registration no, reg no, trade register, trade registry, company number, company registry`),
  industry: names(`industrie, industry, sector, ramura`),
  website: names(`
    website, website url, company website, site, web, site web, pagina web, url, web site, homepage, adresa web,
    website link, web page, domain, domain name, company domain name`),
  phone: [...PHONES, ...MOBILES],
  email: names(`
    email, e mail, mail, adresa email, adresa e mail, adresa de email, email address, posta electronica`),
  status: STATUSES,
  status_code: names(`cod stare, status code, cod status`),
  assigned_to: names(`
    responsabil, owner, proprietar, agent, account manager, agent vanzari, assigned to, sales rep, gestionar, account owner,
    company owner, salesperson, sales person, user, persoana responsabila, agent de vanzari`),
  notes: names(`
    observatii, notes, note, obs, comentarii, comments, remarks, mentiuni, remarci, comment, description,
    descriere, about us`),
  managing_company: names(`
    firma administratoare, managing company, firma mama, parent company, grup, parent account, parent`),
  employee_count: names(`
    nr angajati, angajati, numar angajati, employees, employee count, number of employees, headcount, salariati,
    nr salariati, no of employees`),
  activity_domain: names(`
    domeniu de activitate, domeniu activitate, domeniu, activitate, obiect de activitate, caen, activity, line
    of business`),
  fiscal_address: names(`
    adresa fiscala, sediu fiscal, domiciliu fiscal, fiscal address, registered address, billing address, adresa
    facturare`),
  contact_person: names(`
    persoana de contact, persoana contact, persoane de contact, nume persoana contact, nume persoana de contact, nume
    contact, contact person, contact name, contact persons, contact, contacts, primary contact, main contact, key
    contact, persoana, contact principal, pers contact, pers de contact`),
  delivery_notes: names(`
    note livrare, note de livrare, observatii livrare, instructiuni livrare, delivery notes, delivery
    instructions`),
  payment_days: names(
    `termen de plata, termen plata, zile plata, zile scadenta, payment terms, payment days, net days`,
  ),
  credit_limit: names(`limita credit, plafon, plafon credit, plafon de credit`),
  callback_date: names(`
    de sunat, data revenire, revenire, call back, callback, callback date, de revenit, next call, urmatorul
    contact, follow up`),
};

const contacts: Names = {
  ...ofCompany,
  first_name: names(`prenume, first name, given name, firstname, prenumele`),
  full_name: names(`
    full name, nume complet, nume si prenume, numele si prenumele, prenume si nume, contact name, display name,
    persoana de contact, persoana contact, contact person, persoana, contact, person, name, nume`),
  last_name: names(`
    nume, last name, surname, family name, lastname, nume de familie, nume familie, numele`),
  email: names(`
    email, e mail, mail, adresa email, adresa e mail, adresa de email, email address, posta electronica, primary
    email, email address 1`),
  phone: [...PHONES, ...names(`primary phone, primary phone number, work phone, business phone, phone work`)],
  mobile: [
    ...MOBILES,
    ...names(`mobile number, phone mobile, mobile phone number, nr mobil, numar mobil, numar de mobil`),
  ],
  position: names(`post, pozitie, functie, functia, position, rol, role`),
  department: names(`departament, department, compartiment, dept`),
  job_title: names(`job title, title, titlu, titlu profesional, job position, function, occupation`),
  is_primary: names(`contact principal, principal, primary, primary contact, main contact`),
  is_decision_maker: names(`decident, factor de decizie, decision maker`),
  preferred_language: names(`limba, language, limba preferata, preferred language, lang`),
  notes: names(`
    observatii, notes, note, obs, comentarii, comments, remarks, mentiuni, remarci, comment, description,
    descriere`),
  birth_date: names(`
    data nasterii, zi de nastere, nastere, birthday, birth date, date of birth, data nastere, dob, birthdate`),
  gender: names(`gen, sex, gender`),
  timezone: names(`fus orar, time zone, timezone`),
};

const addresses: Names = {
  ...ofCompany,
  ...PLACE,
  postal_code: names(`
    cod postal, postal code, zip, zip code, postcode, cp, c p, zip postal code, post code`),
  type: names(`tip, fel, type, tip adresa, address type`),
  label: names(`
    denumire, punct de lucru, nume punct de lucru, label, name, location, locatie, denumire adresa, nume`),
  contact_name: names(`persoana de contact, persoana contact, contact, contact name, contact person`),
  phone: [...PHONES, ...MOBILES],
  delivery_notes: names(`
    note livrare, note de livrare, observatii livrare, observatii, instructiuni livrare, delivery notes,
    delivery instructions, notes`),
  is_default: names(`implicita, adresa implicita, default, default address`),
};

const SERIES_NAMES = names(`serie, seria, serie factura, seria facturii, serie document, series, invoice series`);

const invoices: Names = {
  ...ofCompany,
  number: names(`
    numar, nr factura, numar factura, numarul facturii, factura, nr fact, serie si numar, serie numar, serie nr,
    nr doc, numar document, nr document, invoice, invoice no, invoice number, number, no, nr, nr iesire, document`),
  series: SERIES_NAMES,
  issued_on: names(`
    data, data emitere, data emiterii, data facturii, data factura, data document, emisa la, emisa pe, issued,
    issue date, invoice date, date, issued on, issued at, invoice bill date, bill date`),
  due_on: names(`
    scadenta, scadent, data scadenta, data scadentei, termen plata, termen de plata, scadenta la, due, due date, due on,
    payment due`),
  total: names(`
    total, total factura, valoare, valoare totala, total cu tva, suma, total de plata, valoare cu tva, amount,
    total amount, grand total, invoice total, total in currency signed, total signed`),
  delivery_address_id: names(`delivery address id, id adresa livrare`),
  currency: CURRENCIES,
  status: STATUSES,
  wms_order_number: names(`nr comanda, numar comanda, order number, order no`),
};

const lines: Names = {
  series: SERIES_NAMES,
  invoice_number: names(`
    numar, nr factura, numar factura, numarul facturii, factura, nr fact, serie si numar, serie numar, serie nr,
    nr doc, numar document, nr document, invoice, invoice no, invoice number, number, no, nr`),
  position: names(`nr crt, pozitie, linie, position, line, line no, nr linie, crt, poz`),
  sku: names(`cod produs, cod articol, sku, cod, product code, item code, code`),
  description: names(`
    denumire, denumire produs, produs, descriere, articol, denumire articol, description, product, item, item
    description`),
  quantity: names(`cantitate, cant, quantity, qty, buc`),
  unit_price: names(`pret unitar, pret, pu, unit price, price, pret fara tva`),
  unit: names(`um, u m, unitate, unitate de masura, unit, uom, unit of measure`),
  vat_rate: names(`cota tva, tva, cota, procent tva, vat rate, vat, vat percent`),
};

const payments: Names = {
  invoice_number: lines.invoice_number ?? [],
  series: SERIES_NAMES,
  amount: names(`
    suma incasata, suma platita, incasat, incasare, platit, plata, credit, suma credit, suma, valoare, amount paid, paid,
    payment, amount, paid amount, payment amount, credit amount, paid in, intrari, incasari, suma creditata, sume creditate,
    deposit, deposits, money in`),
  debit: names(`
    debit, suma debit, suma debitata, sume debitate, iesiri, plati, debit amount, paid out, withdrawal, withdrawals,
    money out`),
  paid_on: names(`
    data incasarii, data platii, data incasare, data plata, incasat la, platit la, data tranzactiei, data tranzactie, data procesarii, data
    operatiunii, data, payment date, paid on, date paid, transaction date, booking date, date`),
  means: names(`mod de plata, mod plata, modalitate de plata, cum, means, method, payment method, tip plata`),
  reference: names(`
    document, referinta, nr document, numar document, referinta tranzactiei, numar referinta, nr tranzactie, reference,
    ref, transaction id, document plata, nr op, chitanta, nr chitanta`),
  text: names(`
    detalii, explicatii, explicatie, descriere, detalii tranzactie, descrierea tranzactiei, descriere tranzactie,
    descriere operatiune, detalii operatiune, explicatia operatiunii, detalii plata, text, details,
    description, narrative, memo, payment details, transaction details, remittance information`),
};

const records: Names = {
  ...ofCompany,
  number: names(`numar, nr, number, no, cod, nr oferta, nr contract`),
  title: names(`
    titlu, title, deal name, ticket name, opportunity name, denumire, nume, subiect, subject, name`),
  status: STATUSES,
  amount: names(`suma, valoare, amount, deal value, value, total`),
  currency: CURRENCIES,
  starts_on: names(`data inceput, inceput, start, start date, starts on, de la, data`),
  ends_on: names(`
    data sfarsit, sfarsit, end, end date, ends on, pana la, expira, expira la, valid until, close date, expected
    close date`),
};

const dictionaries: Readonly<Record<string, Names>> = {
  companies,
  contacts,
  addresses,
  invoices,
  invoice_lines: lines,
  payments,
};

/** The names of a column of a kind that has this field, the likely ones first. */
export function namesOfField(kind: string, field: string): readonly string[] {
  const own = (dictionaries[kind] ?? records)[field] ?? [];
  return [...own, ...(otherNamesOf(kind)[field] ?? [])];
}
