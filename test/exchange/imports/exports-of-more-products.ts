import type { Export } from "./exports-in-other-languages.ts";

/** Exports of programs of Romanian accountants, and of address books with all their columns. */
export const exportsOfMoreProducts: Export[] = [
  {
    of: "SmartBill, customers",
    kind: "companies",
    columns: columns(`
      Denumire client = Alfa SRL = name; CIF = RO18547290 = tax_id; Reg. com. = J12/34/2010 = registration_number;
      Adresa = Str. 1 = address; Localitate = Arad = city; Judet = Arad = county; Tara = Romania = country;
      Email = a@x.example = email; Telefon = 0722000111 = phone; Persoana de contact = Ion Pop = contact_person;
      Banca = BT = ; IBAN = RO49AAAA1B31007593840000 = ; Platitor TVA = Da = ; Cod client = C001 = ; Sold = 12,50 =`),
  },
  {
    of: "SmartBill, invoices",
    kind: "invoices",
    columns: columns(`
      Serie = F = series; Numar = 0042 = number; Client = Alfa SRL = company_name; CIF = RO18547290 = company_tax_id;
      Data emiterii = 25.11.2026 = issued_on; Data scadentei = 25.12.2026 = due_on; Valoare fara TVA = 100,00 = ;
      Valoare TVA = 19,00 = ; Total = 119,00 = total; Moneda = RON = currency; Incasat = 0,00 = ;
      Rest de incasat = 119,00 =`),
  },
  {
    of: "SmartBill, a report of invoices",
    kind: "invoices",
    columns: columns(`
      Document = F 0042 = number; Client = Alfa SRL = company_name; Data = 25/11/2026 = issued_on;
      Scadenta = 25/12/2026 = due_on; Total fara TVA = 100,00 = ; TVA = 19,00 = ; Total cu TVA = 119,00 = total;
      Moneda = RON = currency`),
  },
  {
    of: "Saga, partners",
    kind: "companies",
    columns: columns(`
      Cod = 00001 = ; Denumire = ALFA SRL = name; Cod fiscal = RO18547290 = tax_id;
      Reg. com. = J12/34/2010 = registration_number; Analitic = 4111.00001 = ; Adresa = Str. 1 = address;
      Localitate = ARAD = city; Județ = AR = county; Țara = RO = country; Telefon = 0722000111 = phone;
      E-mail = a@x.example = email; Banca = BT = ; Cont bancar = RO49AAAA1B31007593840000 = ; Delegat = Ion Pop = ;
      Agent = Ana = assigned_to; Zile scadență = 30 = payment_days; Grupa = = ; Inf. suplimentare = =`),
  },
  {
    of: "Saga, sales",
    kind: "invoices",
    columns: columns(`
      Nr. iesire = 42 = number; Data = 25.11.2026 = issued_on; Client = ALFA SRL = company_name;
      Cod fiscal = RO18547290 = company_tax_id; Scadent = 25.12.2026 = due_on; Valoare = 100.00 = ; TVA = 19.00 = ;
      Total = 119.00 = total; Neachitat = 119.00 =`),
  },
  {
    of: "WinMentor",
    kind: "companies",
    columns: columns(`
      Nume partener = ALFA SRL = name; Cod fiscal = RO18547290 = tax_id;
      Nr. înreg. Reg. Comerțului = J12/34/2010 = registration_number; Cod extern = 1001 = ; Localitatea = Arad = city;
      Județul = Arad = county; Adresa sediului = Str. 1 = address; Țara = Romania = country;
      Telefon 1 = 0722000111 = phone; Adresă e-mail = a@x.example = email; Observații = x = notes;
      Agent = Ana = assigned_to; Termen de plată (zile) = 30 = payment_days; Clasa = A = ;
      Plafon credit = 1000 = credit_limit`),
  },
  {
    of: "FGO",
    kind: "companies",
    columns: columns(`
      Denumire = Alfa SRL = name; CUI/CNP = 18547290 = tax_id; Nr. Reg. Com. = J12/34/2010 = registration_number;
      Judet = Arad = county; Localitate = Arad = city; Adresa = Str. 1 = address; Tara = Romania = country;
      Email = a@x.example = email; Telefon = 0722000111 = phone; IBAN = = ; Banca = = ; Tip = PJ =`),
  },
  {
    of: "Oblio",
    kind: "companies",
    columns: columns(`
      Client = Alfa SRL = name; CIF = RO18547290 = tax_id; RC = J12/34/2010 = registration_number;
      Adresa = Str. 1 = address; Judet = Arad = county; Localitate = Arad = city; Tara = Romania = country; IBAN = = ;
      Banca = = ; Email = a@x.example = email; Telefon = 0722000111 = phone;
      Persoana contact = Ion Pop = contact_person`),
  },
  {
    of: "a database, in capitals",
    kind: "companies",
    columns: columns(`
      DENUMIRE_FIRMA = Alfa SRL = name; COD_FISCAL = RO18547290 = tax_id;
      NR_REG_COM = J12/34/2010 = registration_number; LOCALITATE = Arad = city; JUDEȚ = Arad = county;
      COD_POSTAL = 310001 = postal_code; TEL_FIX = 0257111222 = phone; ADRESA_EMAIL = a@x.example = email;
      NR_ANGAJAȚI = 12 = employee_count; PERS_CONTACT = Ion Pop = contact_person; OBS. = x = notes`),
  },
  {
    of: "Mailchimp",
    kind: "contacts",
    columns: columns(`
      Email Address = a@x.example = email; First Name = Ion = first_name; Last Name = Pop = last_name;
      Company = X SRL = company_name; Phone Number = 0722000111 = phone; Birthday = 05/01 = ; MEMBER_RATING = 2 = ;
      OPTIN_TIME = 2026-01-01 10:00:00 = ; OPTIN_IP = 1.2.3.4 = ; CONFIRM_TIME = 2026-01-01 10:00:00 = ;
      LATITUDE = 46.1 = ; LONGITUDE = 21.3 = ; GMTOFF = 2 = ; TIMEZONE = Europe/Bucharest = timezone; CC = ro = ;
      REGION = AR = ; LAST_CHANGED = 2026-01-01 10:00:00 = ; LEID = 123 = ; EUID = abc = ; NOTES = x = notes;
      TAGS = a,b =`),
  },
  {
    of: "Outlook, in Romanian",
    kind: "contacts",
    columns: columns(`
      Titlu = Dl. = ; Prenume = Ion = first_name; Al doilea prenume = = ; Nume de familie = Pop = last_name;
      Firmă = X SRL = company_name; Departament = Vânzări = department; Funcție = Director = position;
      Strada (serviciu) = Str. 1 = ; Localitate (serviciu) = Arad = ; Fax serviciu = 0257111222 = ;
      Telefon serviciu = 0257111223 = phone; Telefon domiciliu = 0257111224 = ; Telefon mobil = 0722000111 = mobile;
      Adresă de poștă electronică = a@x.example = email; Zi de naștere = 0.00.00 = birth_date;
      Sex = Nespecificat = gender; Note = x = notes; Pagină Web = =`),
  },
  {
    of: "Outlook on the web",
    kind: "contacts",
    columns: columns(`
      First Name = Ion = first_name; Middle Name = = ; Last Name = Pop = last_name; Title = Mr. = ; Suffix = = ;
      Nickname = = ; E-mail Address = a@x.example = email; E-mail 2 Address = b@x.example = ;
      Home Phone = 0257111222 = ; Business Phone = 0257111223 = phone; Business Phone 2 = = ;
      Mobile Phone = 0722000111 = mobile; Primary Phone = = ; Business Fax = 0257111224 = ;
      Company Main Phone = 0257111225 = ; Callback = = ; IMAddress = = ; Job Title = Director = job_title;
      Department = Sales = department; Company = X SRL = company_name; Office Location = = ;
      Manager's Name = Ana Boss = ; Assistant's Name = = ; Assistant's Phone = = ; Company Yomi = = ;
      Business Street = Str. 1 = ; Business City = Arad = ; Business State = AR = ; Business Postal Code = 310001 = ;
      Business Country/Region = Romania = ; Personal Web Page = = ; Spouse = = ; Web Page = https://x.example = ;
      Birthday = 1980-05-01 = birth_date; Anniversary = = ; Notes = x = notes`),
  },
  {
    of: "HubSpot, more of a contact",
    kind: "contacts",
    columns: columns(`
      Record ID - Contact = 51 = ; First Name = Ion = first_name; Last Name = Pop = last_name;
      Email = a@x.example = email; Phone Number = +40257111222 = phone; Mobile Phone Number = +40722000111 = mobile;
      Job Title = Director = job_title; Company Name = X SRL = company_name; Contact owner = Ana = ;
      Lifecycle Stage = Lead = ; Date of birth = 1980-05-01 = birth_date;
      Preferred language = Romanian = preferred_language; Associated Company IDs (Primary) = 9001 = ;
      Associated Company (Primary) = X SRL =`),
  },
  {
    of: "Pipedrive, persons in Romanian",
    kind: "contacts",
    columns: columns(`
      Persoană - ID = 12 = ; Persoană - Nume = Ion Pop = full_name; Persoană - Organizație = X SRL = company_name;
      Persoană - E-mail - Serviciu = a@x.example = email; Persoană - Telefon - Serviciu = 0257111222 = phone;
      Persoană - Telefon - Mobil = 0722000111 = mobile; Persoană - Proprietar = Ana = ;
      Persoană - Activități finalizate = 3 =`),
  },
  {
    of: "Pipedrive, organizations in Romanian",
    kind: "companies",
    columns: columns(`
      Organizație - ID = 7 = ; Organizație - Nume = X SRL = name; Organizație - Adresă = Str. 1 = address;
      Organizație - Oraș/sat/localitate din Adresă = Arad = city; Organizație - Țară din Adresă = Romania = country;
      Organizație - Cod poștal din Adresă = 310001 = postal_code; Organizație - Proprietar = Ana = assigned_to;
      Organizație - Persoane = 2 =`),
  },
  {
    of: "Pipedrive, all of an organization",
    kind: "companies",
    columns: columns(`
      Organization - Name = X SRL = name; Organization - Label = Customer = ;
      Organization - Owner = Ana = assigned_to; Organization - Address = Str. 1, Arad = address;
      Organization - Apartment/suite no of Address = = ; Organization - House number of Address = 1 = ;
      Organization - Street/road name of Address = Str. = ; Organization - District/sublocality of Address = = ;
      Organization - City/town/village/locality of Address = Arad = city;
      Organization - State/county of Address = Arad = county; Organization - Region of Address = Vest = ;
      Organization - Country of Address = Romania = country;
      Organization - ZIP/Postal code of Address = 310001 = postal_code;
      Organization - Full/combined address of Address = Str. 1, Arad = ; Organization - Open deals = 2 = ;
      Organization - Next activity date = 2026-12-01 = ; Organization - Website = x.example = website;
      Organization - Number of employees = 12 = employee_count; Organization - Industry = Food = industry;
      Organization - LinkedIn profile = https://l.example/x =`),
  },
  {
    of: "Zoho, contacts",
    kind: "contacts",
    columns: columns(`
      Record Id = zcrm_1 = ; Contact Owner.id = zcrm_2 = ; Contact Owner = Ana = ; Lead Source = Web = ;
      First Name = Ion = first_name; Last Name = Pop = last_name; Account Name.id = zcrm_3 = ;
      Account Name = X SRL = company_name; Email = a@x.example = email; Title = Director = job_title;
      Department = Sales = department; Phone = 0257111222 = phone; Home Phone = = ; Other Phone = = ; Fax = = ;
      Mobile = 0722000111 = mobile; Date of Birth = 1980-05-01 = birth_date; Assistant = = ;
      Asst Phone = 0257111333 = ; Email Opt Out = false = ; Skype ID = = ; Created Time = 2026-01-01 10:00:00 = ;
      Mailing Street = Str. 1 = ; Mailing City = Arad = ; Mailing Zip = 310001 = ; Description = x = notes;
      Secondary Email = b@x.example = ; Twitter = =`),
  },
  {
    of: "Odoo, in Romanian",
    kind: "companies",
    columns: columns(`
      ID extern = __export__.res_partner_1 = ; Nume afișat = X SRL = name; Este o companie = True = ;
      Telefon = 0257111222 = phone; Mobil = 0722000111 = ; E-mail = a@x.example = email;
      Agent de vânzări = Ana = assigned_to; Stradă = Str. 1 = address; Oraș = Arad = city; Județ = Arad = county;
      Cod poștal = 310001 = postal_code; Țară = România = country; Cod fiscal = RO18547290 = tax_id;
      NRC = J12/34/2010 = registration_number; Termeni de plată client = 30 zile = ; Site web = x.example = website;
      Note = x = notes`),
  },
  {
    of: "electronic invoices",
    kind: "invoices",
    columns: columns(`
      Număr factură = FA 42 = number; Dată emitere = 2026-11-25 = issued_on; Dată scadență = 2026-12-25 = due_on;
      Denumire cumpărător = X SRL = company_name; CUI cumpărător = RO18547290 = company_tax_id;
      Total de plată = 119.00 = total; Cod monedă = RON = currency`),
  },
  {
    of: "Salesforce, contacts by its API",
    kind: "contacts",
    columns: columns(`
      Id = 003 = ; IsDeleted = false = ; AccountId = 001 = ; LastName = Pop = last_name; FirstName = Ion = first_name;
      Salutation = Mr. = ; Name = Ion Pop = ; MailingCity = Arad = ; Phone = 0257111222 = phone;
      MobilePhone = 0722000111 = mobile; HomePhone = 0257111223 = ; ReportsToId = = ; Email = a@x.example = email;
      Title = Director = job_title; Department = Sales = department; Birthdate = 1980-05-01 = birth_date;
      Description = x = notes; Account.Name = X SRL = company_name`),
  },
];

/** The columns in a text: `name = value = field`, separated by semicolons. */
function columns(text: string): Export["columns"] {
  return text.split(";").map((column) => {
    const [name = "", value = "", field = ""] = column.split("=").map((part) => part.trim());
    return [name, value, field];
  });
}
