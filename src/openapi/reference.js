// The page's only script of its own: the address of the document is an attribute, so that nothing is inline (CSP).
const element = document.getElementById("reference");

window.SwaggerUIBundle({
  domNode: element,
  url: element.dataset.url,
  // Nothing leaves the page for another host.
  validatorUrl: null,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  syntaxHighlight: { theme: "agate" },
});
