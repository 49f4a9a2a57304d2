/** In this order: a browser names those that it is like before itself. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: [RegExp, string][] = [
  [/\bWindows\b/, "Windows"],
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** The browser and its system as people call them: `Firefox, Windows`. Null if it says neither. */
export function browserName(userAgent: string): string | null {
  const [browser, system] = [BROWSERS, SYSTEMS].map((names) => names.find(([sign]) => sign.test(userAgent))?.[1]);
  const known = [browser, system].filter((name) => name !== undefined);
  return known.length === 0 ? null : known.join(", ");
}
