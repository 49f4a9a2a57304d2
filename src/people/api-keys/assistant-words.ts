import type { InLanguages } from "../../kit/web/language.ts";
import type { Capability } from "./capability.ts";

const READ = [
  "companies:read",
  "contacts:read",
  "addresses:read",
  "invoices:read",
  "payments:read",
  "wms-orders:read",
] as const;

/** The choices for the key of an assistant, the narrowest first that is useful. The first one is the default. */
export const presets = {
  read: [...READ, "changes:read"],
  people: ["companies:read", "contacts:read"],
  records: [...READ, "changes:read", "companies:write", "contacts:write", "addresses:write"],
  orders: [...READ, "changes:read", "invoices:write", "payments:write", "wms-orders:write"],
} as const satisfies Readonly<Record<string, readonly Capability[]>>;

export type PresetName = keyof typeof presets;

type Preset = { label: string; hint: string };

export const assistantWords = {
  en: {
    title: "Key for an assistant",
    about:
      "An assistant such as Claude or Copilot works with your data by this key, and sees only the tools that the key allows. Each of its changes is in the history, with the name of the key.",
    guide: "How to connect an assistant",
    nameHint: "The person and the assistant, such as “Ana’s Claude”.",
    may: "The assistant may",
    presets: {
      read: { label: "Only read", hint: "Companies, contacts, addresses, invoices, orders and changes." },
      people: { label: "Only read companies and contacts", hint: "No addresses, invoices or orders." },
      records: {
        label: "Read everything, change companies and contacts",
        hint: "And addresses.",
      },
      orders: {
        label: "Read everything, write invoices and send them to the warehouse",
        hint: "It also records payments.",
      },
    } satisfies Readonly<Record<PresetName, Preset>>,
    onPage: "Deletions, merges, sendings, payments and batches",
    waiting: "Confirmed on the page",
    confirms: "Deletions, merges, sendings, payments and batches are confirmed on the page",
    confirmsText:
      "They wait until a user of the workspace confirms them. A client that can show a form asks by the form instead, and Liaison trusts it. The key writes through the assistant’s connection only, and reads through the API too.",
    expiresHint: "At most a year. Afterwards, create another key.",
    needsEnd: "Please choose a day in the next year.",
    needsPreset: "Please choose what the assistant may do.",
    whole: "The configurations below contain it. Keep them out of shared folders and repositories.",
    codeHint: "Run this in a terminal. It adds Liaison to all your projects.",
    desktopHint: "Paste this into claude_desktop_config.json (Settings, Developer, Edit Config). It needs Node.js.",
    cursor: "Cursor and Gemini CLI",
    cursorHint: "Paste this into .cursor/mcp.json or .gemini/settings.json of your home folder.",
    studioHint: "Paste this into the file that the command “MCP: Open User Configuration” opens.",
    other: "Any other client",
    otherHint: "The address of the server (Streamable HTTP). The key is the bearer token.",
  },
  ro: {
    title: "Cheie pentru un asistent",
    about:
      "Un asistent precum Claude sau Copilot lucrează cu datele dumneavoastră prin această cheie și vede doar uneltele permise de ea. Fiecare modificare a lui apare în istoric, cu numele cheii.",
    guide: "Cum se conectează un asistent",
    nameHint: "Persoana și asistentul, de exemplu „Claude al Anei”.",
    may: "Asistentul are voie",
    presets: {
      read: { label: "Doar să citească", hint: "Firme, persoane de contact, adrese, facturi, comenzi și modificări." },
      people: { label: "Să citească doar firme și persoane de contact", hint: "Fără adrese, facturi sau comenzi." },
      records: {
        label: "Să citească tot și să modifice firme și persoane de contact",
        hint: "Și adrese.",
      },
      orders: {
        label: "Să citească tot, să scrie facturi și să le trimită la depozit",
        hint: "Înregistrează și încasări.",
      },
    } satisfies Readonly<Record<PresetName, Preset>>,
    onPage: "Ștergeri, contopiri, trimiteri, încasări și loturi",
    waiting: "Se confirmă în pagină",
    confirms: "Ștergerile, contopirile, trimiterile, încasările și loturile se confirmă în pagină",
    confirmsText:
      "Ele așteaptă până când un utilizator al spațiului de lucru le confirmă. O aplicație care poate afișa un formular întreabă prin acesta, iar Liaison are încredere în ea. Cheia scrie doar prin conexiunea asistentului; prin API doar citește.",
    expiresHint: "Cel mult un an. După aceea, faceți altă cheie.",
    needsEnd: "Alegeți o zi din următorul an.",
    needsPreset: "Alegeți ce are voie asistentul.",
    whole: "Configurațiile de mai jos o conțin. Nu le puneți în dosare sau depozite de cod partajate.",
    codeHint: "Rulați în terminal. Adaugă Liaison la toate proiectele dumneavoastră.",
    desktopHint: "Lipiți în claude_desktop_config.json (Settings, Developer, Edit Config). Este nevoie de Node.js.",
    cursor: "Cursor și Gemini CLI",
    cursorHint: "Lipiți în .cursor/mcp.json sau .gemini/settings.json din dosarul dumneavoastră personal.",
    studioHint: "Lipiți în fișierul pe care îl deschide comanda „MCP: Open User Configuration”.",
    other: "Orice alt client",
    otherHint: "Adresa serverului (Streamable HTTP). Cheia este tokenul bearer.",
  },
} satisfies InLanguages<object>;
