import type { ApiInfo } from "../openapi/reference.ts";
import type { ReferencePage } from "./reference-pages.ts";

/** /llms.txt: what this service is, and where each page is as Markdown (llmstxt.org). */
export function llmsText(api: ApiInfo, pages: readonly ReferencePage[], base: string): string {
  const groups = Map.groupBy(pages, ({ group }) => TITLES[String(group)] ?? String(group));
  const sections = [...groups].map(([title, group]) => {
    const lines = group.map((page) => `- [${page.title}](${base}${page.path}.md)`);
    return `## ${title}\n\n${lines.join("\n")}\n`;
  });
  const contract = `- [OpenAPI 3.1](${base}/api/v1/openapi.json): every route, field and answer\n`;
  return `# ${api.title}\n\n> ${api.summary}\n\n${api.description}\n\n## Machine-readable\n\n${contract}\n${sections.join("\n")}`;
}

const TITLES: Record<string, string> = { null: "Start", Error: "Each error", Chapter: "The contract's chapters" };
