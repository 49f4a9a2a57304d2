import type { ApiInfo, DescribedRoute } from "../../kit/openapi/reference.ts";
import { heading, jsonCode, links, paragraph, type Block } from "./blocks.ts";
import { presentGuides } from "./documents.ts";
import { EXAMPLE_ADDRESS } from "./named-address.ts";
import type { Noun } from "./noun-page.ts";
import { sampleTabs } from "./samples.ts";

/** The first page: three steps to the first data, and links to everything else. */
export function startBlocks(api: ApiInfo, nouns: readonly Noun[]): Block[] {
  const [first] = nouns.flatMap(({ routes }) => routes);
  return [
    paragraph(api.summary),
    {
      kind: "beside",
      words: [
        heading(2, "1. Get a key"),
        paragraph(
          "An admin of your workspace creates an API key under [Keys](/keys). The operator can do the same with `liaison key create`. " +
            "The first start of a new server prints the key of its demo tenant.",
        ),
        paragraph(
          "The token is shown once: the tenant's slug, a dot, and the key. Every sample here reads the address and the token from the environment.",
        ),
      ],
      code: [
        {
          kind: "code",
          language: "sh",
          text: `export LIAISON=${EXAMPLE_ADDRESS}\nexport TOKEN=demo.lsn_...`,
        },
      ],
    },
    ...(first === undefined ? [] : firstRequests(first)),
    heading(2, "Where next"),
    links([
      { title: "Recipes", path: "/docs/guides/recipes", summary: "the five most common integrations, step by step" },
      {
        title: "Feed, webhook or poll?",
        path: "/docs/guides/following",
        summary: "three ways to learn of changes, compared",
      },
      ...nouns.map(({ slug, title, summary }) => ({ title, path: `/docs/api/${slug}`, summary })),
      { title: "Errors", path: "/docs/errors", summary: "each with its cause, its remedy, and whether to retry" },
      { title: "Events", path: "/docs/events", summary: "each with its message" },
    ]),
    heading(2, "For programs"),
    paragraph(
      "The same as OpenAPI 3.1: [openapi.json](/api/v1/openapi.json) and [openapi.yaml](/api/v1/openapi.yaml). Every page is also " +
        "Markdown, at its address with `.md` behind it; [llms.txt](/llms.txt) lists all of them.",
    ),
    heading(2, "Guides"),
    links(presentGuides().map(({ slug, title }) => ({ title, path: `/docs/guides/${slug}` }))),
  ];
}

/** A request, and the request of the next page with its answer. */
function firstRequests(route: DescribedRoute): Block[] {
  const { examples } = route.reference.success;
  const { cursor: walked } = typeof examples === "function" ? examples("") : examples;
  return [
    {
      kind: "beside",
      words: [
        heading(2, "2. Send a request"),
        paragraph(
          "List the companies. The answer is the first page, with the exact total. The TypeScript client walks through all pages; " +
            "[TypeScript](/docs/guides/typescript) says how to install it.",
        ),
        paragraph(
          "Status 401 means that the token is incomplete, wrong or revoked. Each error answer has a header `Link` with the address of a page " +
            "that explains it.",
        ),
      ],
      code: [sampleTabs(route)],
    },
    {
      kind: "beside",
      words: [
        heading(2, "3. Read the next page"),
        paragraph(
          "Begin with an empty `cursor`, then send the `next_cursor` of each answer, until it is null. [Resources and lists](/docs/guides/lists) " +
            "has the details, and a loop that does it.",
        ),
      ],
      code: [
        sampleTabs({ ...route, path: `${route.path}?per_page=50&cursor=` }),
        ...(walked === undefined ? [] : [jsonCode(walked.value)]),
      ],
    },
  ];
}
