/** The columns that name a row's company. Only files of pages have its name, which several companies may have. */
export const COMPANY_ID = "company_id";
export const COMPANY_TAX_ID = "company_tax_id";
export const COMPANY_NAME = "company_name";
/** The member of a batch's item with external ids of its company. No file has it. */
export const COMPANY_EXTERNAL = "company_external";
