/**
 * A part of a reference page. Texts are Markdown within a line: code, bold, emphasis and links. Each page is a list of
 * blocks, which becomes HTML (html-blocks.ts), Markdown (markdown-blocks.ts) and lines of the search (search.ts).
 */
export type Block =
  | { kind: "heading"; level: 2 | 3 | 4; text: string; id: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; isOrdered: boolean; items: Block[][] }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "code"; language: string; text: string }
  | { kind: "fields"; label: string; rows: FieldRow[] }
  /** Alternatives, of which a reader sees one. `name`: the same name is remembered on all pages. */
  | { kind: "tabs"; name: string; tabs: Tab[] }
  /** Words, and code that wide windows show beside them. */
  | { kind: "beside"; words: Block[]; code: Block[] }
  | { kind: "call"; method: string; path: string; capability: string | null }
  /** A form that sends a request; Markdown has none. */
  | { kind: "try"; method: string; path: string; query: string[]; body: string | null };

type Tab = { title: string; blocks: Block[] };

/** A field, a parameter or a member of an answer. */
export type FieldRow = {
  id: string;
  name: string;
  /** With its bounds: "string, at most 255 characters". */
  type: string;
  /** In one word or two each: "required", "read-only". */
  marks: string[];
  description: string;
};

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

export function heading(level: 2 | 3 | 4, text: string, id = anchorOf(text)): Block {
  return { kind: "heading", level, text, id };
}

export function paragraph(text: string): Block {
  return { kind: "paragraph", text };
}

export function jsonCode(value: unknown): Block {
  return { kind: "code", language: "json", text: JSON.stringify(value, null, 2) };
}

export function links(items: readonly { title: string; path: string; summary?: string }[]): Block {
  const lines = items.map(({ title, path, summary }) => {
    return [paragraph(`[${title}](${path})${summary === undefined ? "" : `: ${summary}`}`)];
  });
  return { kind: "list", isOrdered: false, items: lines };
}

/** All headings of some blocks, in their order. */
export function headingsOf(blocks: readonly Block[]): (Block & { kind: "heading" })[] {
  return blocks.flatMap((block) => {
    if (block.kind === "heading") return [block];
    return block.kind === "beside" ? headingsOf(block.words) : [];
  });
}
