import type { Page } from "../../page.ts";
import { html } from "../../web/html.ts";
import { companyFields } from "../company.ts";
import { companyStatus } from "../company-status.ts";
import { companyLabels, companyWords } from "../company-words.ts";
import { companyOf } from "./edit-page.ts";

/** GET /companies/{id} */
export const showCompanyPage: Page = async (deps, request) => {
  const { language } = request;
  const company = await companyOf(deps, request);
  const labels = companyLabels[language];
  const facts = companyFields
    .filter(({ name }) => name !== "name" && (company[name] ?? null) !== null)
    .map(
      ({ name }) =>
        html`<dt>${labels[name]}</dt>
          <dd>${company[name]}</dd>`,
    );
  return {
    title: company.name ?? "",
    area: "companies",
    main: html`<header class="heading">
        <h1>${company.name}</h1>
        ${companyStatus(company.status ?? "", language)}
        <a class="button" href="/companies/${company.id}/edit" aria-keyshortcuts="e">${companyWords[language].edit}</a>
      </header>
      <dl class="facts">${facts}</dl>`,
  };
};
