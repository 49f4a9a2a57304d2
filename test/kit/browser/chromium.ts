import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** A browser to start: its program, and what it needs around it. */
export type Chromium = { executablePath: string; env: Record<string, string>; args: string[] };

/**
 * The browser of the tests: on Linux x64 the one that the package @sparticuz/chromium brings, elsewhere the Chrome that
 * is installed; LIAISON_TEST_CHROME names another one.
 */
export async function findChromium(): Promise<Chromium> {
  const named = process.env.LIAISON_TEST_CHROME;
  if (named !== undefined) return installed(named);
  if (process.platform === "linux" && process.arch === "x64") return await ofPackage();
  const found = USUAL_PLACES.find((place) => fs.existsSync(place));
  if (found !== undefined) return installed(found);
  throw new Error(
    `The browser tests found no Chrome at ${USUAL_PLACES.join(", ")}. Install Chrome or Chromium, or set ` +
      "LIAISON_TEST_CHROME to the path of its program, and run them again.",
  );
}

const USUAL_PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/usr/bin/google-chrome",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/snap/bin/chromium",
];

// Chromium refuses to run its sandbox as root.
const ARGS = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

function installed(executablePath: string): Chromium {
  return { executablePath, env: inherited(), args: ARGS };
}

async function ofPackage(): Promise<Chromium> {
  const folder = await unpacked(path.dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))));
  const [fonts, libraries] = [path.join(folder, "fonts"), path.join(folder, "al2023", "lib")];
  return {
    executablePath: path.join(folder, "chromium"),
    // Machines that never had a browser lack NSS, expat and fonts; the package's own are the same on all of them.
    env: { ...inherited(), LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: fonts },
    args: [...ARGS, "--font-render-hinting=none"],
  };
}

/**
 * The folder with the unpacked package. It is unpacked once; test files that do so at the same time do not disturb each
 * other.
 */
async function unpacked(build: string): Promise<string> {
  const { inflate } = await import("@sparticuz/chromium");
  const { version } = JSON.parse(fs.readFileSync(path.join(build, "../package.json"), "utf8")) as { version: string };
  const cache = path.join(import.meta.dirname, "../../../node_modules/.cache");
  const folder = path.join(cache, `chromium-${version}`);
  if (fs.existsSync(folder)) return folder;
  fs.mkdirSync(cache, { recursive: true });
  const own = fs.mkdtempSync(path.join(cache, "chromium-"));
  const { TMPDIR } = process.env;
  // The package unpacks to where temporary files are, and asks for that when it is called.
  process.env.TMPDIR = own;
  const parts = ["chromium.br", "al2023.tar.br", "fonts.tar.br"].map((part) =>
    inflate(path.join(build, "../bin", part)),
  );
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await Promise.all(parts);
  fs.writeFileSync(path.join(own, "fonts", "fonts.conf"), fontsOf(folder));
  try {
    fs.renameSync(own, folder);
  } catch {
    fs.rmSync(own, { recursive: true });
  }
  return folder;
}

/** Text is as wide on every machine: it has the package's font. */
function fontsOf(folder: string): string {
  const aliases = [
    ["system-ui", "Open Sans"],
    ["sans-serif", "Open Sans"],
    ["monospace", "DejaVu Sans Mono"],
  ].map(
    ([name, font]) =>
      `<alias binding="strong"><family>${name}</family><prefer><family>${font}</family></prefer></alias>`,
  );
  const [fonts, cache] = [path.join(folder, "fonts"), path.join(folder, "fonts-cache")];
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${fonts}</dir><dir>/usr/share/fonts</dir><cachedir>${cache}</cachedir>${aliases.join("")}</fontconfig>`;
}

function inherited(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
