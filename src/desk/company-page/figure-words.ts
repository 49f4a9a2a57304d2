import { counted, formOf, type InLanguages } from "../../kit/web/language.ts";

/** The words of the figures on a company's page. */
export const figureWords = {
  en: {
    turnover: "Turnover, 12 months",
    months: (month: string, sold: string) => `Sales of the last 12 months by month; most, ${sold}, in ${month}.`,
    open: "Owed",
    statement: "Statement",
    remind: "Remind",
    reminders: "Reminders",
    nothingOpen: "Nothing",
    atLeast: (amount: string) => `over ${amount}`,
    overdue: (amount: string, days: number) =>
      `${amount} overdue, up to ${counted("en", days, { one: "day", other: "days" })}`,
    orders: "Orders",
    underWay: (count: string) => `${count} under way`,
    noneUnderWay: "None under way",
    inNeed: (count: string, exact: number) =>
      `${count} ${formOf("en", exact, { one: "needs attention", other: "need attention" })}`,
    lastContact: "Last contact",
    today: "Today",
    callBack: "Call back",
    late: (days: number) => `${counted("en", days, { one: "day", other: "days" })} late`,
    done: "Done",
  },
  ro: {
    turnover: "Vânzări, 12 luni",
    months: (month: string, sold: string) =>
      `Vânzările ultimelor 12 luni, pe luni; cel mai mult, ${sold}, în ${month}.`,
    open: "De încasat",
    statement: "Fișa de cont",
    remind: "Notifică",
    reminders: "Notificări",
    nothingOpen: "Nimic",
    atLeast: (amount: string) => `peste ${amount}`,
    overdue: (amount: string, days: number) =>
      `restanță de ${amount}, până la ${counted("ro", days, { one: "zi", few: "zile", other: "de zile" })}`,
    orders: "Comenzi",
    underWay: (count: string) => `${count} în curs`,
    noneUnderWay: "Niciuna în curs",
    inNeed: (count: string, exact: number) =>
      `${count} ${formOf("ro", exact, { one: "are nevoie de atenție", few: "au nevoie de atenție", other: "de comenzi au nevoie de atenție" })}`,
    lastContact: "Ultimul contact",
    today: "Azi",
    callBack: "De sunat",
    late: (days: number) => `întârziere de ${counted("ro", days, { one: "zi", few: "zile", other: "de zile" })}`,
    done: "Gata",
  },
} satisfies InLanguages<object>;
