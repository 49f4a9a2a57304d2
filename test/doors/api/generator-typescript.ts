import { registerHooks } from "node:module";

/** A generator of clients makes its code with TypeScript 5, whose interface for programs later versions do not have. */
const source = `export { ts as default } from ${JSON.stringify(import.meta.resolve("@ts-morph/common"))};`;
const url = `data:text/javascript,${encodeURIComponent(source)}`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "typescript" ? { url, format: "module", shortCircuit: true } : next(specifier, context),
});
