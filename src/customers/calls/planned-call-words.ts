import type { InLanguages } from "../../kit/web/language.ts";
import type { FieldLabels } from "../../kit/web/messages.ts";
import type { PlannedCallField } from "./planned-call.ts";

export const plannedCallLabels: InLanguages<FieldLabels<PlannedCallField>> = {
  en: { due_on: "When", contact_id: "Whom", about: "About", assigned_to: "For", invoice_id: "Invoice" },
  ro: { due_on: "Când", contact_id: "Pe cine", about: "Despre", assigned_to: "Pentru", invoice_id: "Factura" },
};
