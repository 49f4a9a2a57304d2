import type { Block, FieldRow } from "./blocks.ts";

/**
 * A page as Markdown: the same blocks, without tabs and forms. Its links lead to the pages themselves, because only
 * these have an anchor for each operation and field.
 * @param base the beginning of every own address
 */
export function markdownOf(
  { path, title }: { path: string; title: string },
  blocks: readonly Block[],
  base: string,
): string {
  const text = `# ${title}\n\n${write(blocks)}\n`;
  return text.replaceAll(CODE_OR_LINK, (whole, start?: string) => {
    if (start === undefined) return whole;
    return `](${base}${start === "#" ? `${path}#` : start}`;
  });
}

const CODE_OR_LINK = /^```[^]*?^```|`[^`\n]*`|\]\((#|\/(?!\/))/gm;

function write(blocks: readonly Block[]): string {
  return blocks.map(writeBlock).filter(Boolean).join("\n\n");
}

function writeBlock(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `${"#".repeat(block.level)} ${block.text}`;
    case "paragraph":
      return block.text;
    case "list":
      return block.items.map((item, index) => writeItem(item, block.isOrdered ? `${index + 1}. ` : "- ")).join("\n");
    case "table":
      return [block.head, block.head.map(() => "---"), ...block.rows].map(row).join("\n");
    case "code":
      return `\`\`\`${block.language}\n${block.text}\n\`\`\``;
    case "fields":
      return block.rows.map(field).join("\n");
    case "tabs":
      return block.tabs.map(({ title, blocks }) => `**${title}**\n\n${write(blocks)}`).join("\n\n");
    case "beside":
      return write([...block.words, ...block.code]);
    case "try":
      return "";
    default:
      return `\`${block.method} ${block.path}\` (${block.capability === null ? "any valid key" : `capability \`${block.capability}\``})`;
  }
}

function writeItem(item: readonly Block[], marker: string): string {
  const [first = "", ...rest] = write(item).split("\n");
  const indented = rest.map((line) => (line === "" ? "" : `${" ".repeat(marker.length)}${line}`));
  return [`${marker}${first}`, ...indented].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function field({ name, type, marks, description }: FieldRow): string {
  const facts = [type, ...marks].filter(Boolean).join(", ");
  return `- \`${name}\` (${facts})${description === "" ? "" : `: ${description.replaceAll("\n", " ")}`}`;
}
