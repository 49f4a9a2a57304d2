/**
 * A JSON value as YAML, valid in every version of YAML: texts are quoted as in JSON, and so are names that are not
 * plain words.
 */
export function toYaml(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return ` ${JSON.stringify(value)}\n`;
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  if (entries.length === 0) return isList ? " []\n" : " {}\n";
  const lines = entries.map(
    ([name, member]) => `${indent}${isList ? "-" : `${nameOf(name)}:`}${toYaml(member, `${indent}  `)}`,
  );
  return `\n${lines.join("")}`;
}

/** The words that are booleans or null in some version of YAML. */
const RESERVED = /^(?:y|yes|n|no|on|off|true|false|null)$/i;

function nameOf(name: string): string {
  return /^[A-Za-z][\w-]*$/.test(name) && !RESERVED.test(name) ? name : JSON.stringify(name);
}
