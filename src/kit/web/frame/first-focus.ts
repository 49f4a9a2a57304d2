import { withAttribute, type Html } from "../html.ts";

/**
 * Focuses the first invalid field of a form page, otherwise its first field; on the sign-in page the first empty one.
 * Values are escaped, so a value cannot end a tag.
 */
export function withFocus(main: Html): Html {
  const text = String(main);
  const begin = text.search(/<form class="record[" ]|<section class="sign-in">/);
  if (begin < 0 || text.includes(" autofocus")) return main;
  const fields = [...text.slice(begin).matchAll(/<(?:input|select|textarea)\b[^>]*>/g)].filter(
    // Of a choice, the arrow keys go on from the chosen one.
    ([tag]) => !/ type="(?:hidden|checkbox)"/.test(tag) && (!tag.includes(' type="radio"') || / checked\b/.test(tag)),
  );
  const isSignIn = text.startsWith("<section", begin);
  const field =
    fields.find(([tag]) => tag.includes(' aria-invalid="true"')) ??
    fields.find(([tag]) => !isSignIn || !/ value="[^"]/.test(tag));
  if (field === undefined) return main;
  return withAttribute(main, begin + field.index, "autofocus");
}
