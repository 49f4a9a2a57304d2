import assert from "node:assert/strict";

/**
 * Texts that run a script, or break a page, wherever they are written unescaped. The first ones fit into short fields.
 */
export const hostileTexts: readonly string[] = [
  `"><q onx=1>`,
  `' onx='1`,
  `<svg/onload=alert(1)>`,
  `" onfocus="alert(1)" x="`,
  `<script>alert(1)</script>`,
  `javascript:alert(1)`,
  `</textarea><script>alert(1)</script>`,
  `</title><img src=x onerror=alert(1)>`,
  `--><script>alert(1)</script><!--`,
  `&lt;script&gt;alert(1)&lt;/script&gt;`,
  "`-alert(1)-`${alert(1)}{{alert(1)}}",
  `\u202e<a href="javascript:alert(1)">\u0007`,
];

/** A text as it stands in HTML. */
export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Fails where a page has a tag, an attribute or an address that is none of ours. */
export function assertHarmless(page: string, about: string): void {
  for (const [tag] of page.matchAll(/<[a-z!][^>]*>?/gi)) {
    const bare = tag.replaceAll(/"[^"]*"/g, '""');
    assert.doesNotMatch(bare, /[\s/'"]on\w+\s*=|<q\b|<svg(?! class="")|<img|<!--/i, `${about}: ${tag}`);
    assert.doesNotMatch(tag, /(?:href|src|action)="\s*(?:javascript|data):/i, `${about}: ${tag}`);
    if (/^<script/i.test(tag))
      assert.match(
        tag,
        /^<script type="module" src="\/assets\/[\w-]+\/(?:app|decide|drop|lines|passkey|progress|select|slug)\.js">$/,
        about,
      );
  }
}
