import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "../../../src/kit/web/html.ts";

test("a value is escaped in a text and in an attribute, unless it is HTML itself", () => {
  const hostile = `<script>alert("1")</script>'&`;
  assert.equal(
    String(html`<p title="${hostile}">${hostile}</p>`),
    `<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;</p>`,
  );
  assert.equal(
    String(html`<ul>${[html`<li>${1}</li>`, html`<li>2</li>`, null, false, undefined]}</ul>`),
    "<ul><li>1</li><li>2</li></ul>",
  );
});

test("an address that would run a script or leave for another scheme leads nowhere", () => {
  for (const address of [
    "javascript:alert(1)",
    " javascript:alert(1)",
    "JaVaScRiPt:1",
    "data:text/html,x",
    "//evil.example",
    "/\\evil.example",
    "x",
    "",
  ]) {
    assert.equal(String(html`<a href="${address}">x</a>`), `<a href="#">x</a>`, address);
    assert.equal(String(html`<form action="${address}">`), `<form action="#">`, address);
  }
  for (const address of [
    "/companies?search=a",
    "?page=2",
    "#name",
    "https://a.example/",
    "mailto:a@b.example",
    "tel:+40",
  ]) {
    assert.equal(String(html`<a href="${address}">x</a>`), `<a href="${address}">x</a>`);
  }
  assert.equal(String(html`<a href="/companies/${"7"}/edit"></a>`), `<a href="/companies/7/edit"></a>`);
});
