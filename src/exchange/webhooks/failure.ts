import type { UnknownReason, UnsentReason } from "../../platform/outbound/http-client.ts";

/** The stored reason why a delivery failed. */
export type DeliveryFailure = "status" | "redirect" | "gone" | "lost" | Exclude<UnsentReason | UnknownReason, Pause>;

/** Reasons of the sender itself: no request was made. */
type Pause = "stopped" | "wait" | "held";

export function isPause(reason: UnsentReason | UnknownReason): reason is Pause {
  return reason === "stopped" || reason === "wait" || reason === "held";
}

/** The message of each failure. @param status of the response, if there was one */
type Sentences = Readonly<Record<DeliveryFailure, (status: string) => string>>;

/** The API uses the English sentences. */
export const failureSentences: Readonly<Record<"en" | "ro", Sentences>> = {
  en: {
    status: (status) => `The answer was ${status}.`,
    redirect: (status) => `The answer was ${status}: redirects are not followed.`,
    gone: () => "The answer was 410: the receiver wants nothing any more.",
    lost: () => "The change is not there any more.",
    address: () => "The address is not allowed.",
    name: () => "The name has no address.",
    connect: () => "No connection could be opened.",
    "connect-timeout": () => "No connection could be opened in time.",
    tls: () => "No secure connection could be agreed on.",
    request: () => "The address cannot be asked.",
    timeout: () => "There was no answer within 15 seconds.",
    broken: () => "The connection broke before there was an answer.",
    "too-large": () => "The answer's head was too large.",
    protocol: () => "The answer was no HTTP.",
  },
  ro: {
    status: (status) => `Răspunsul a fost ${status}.`,
    redirect: (status) => `Răspunsul a fost ${status}: redirecționările nu se urmează.`,
    gone: () => "Răspunsul a fost 410: destinatarul nu mai vrea nimic.",
    lost: () => "Modificarea nu mai există.",
    address: () => "Adresa nu este permisă.",
    name: () => "Numele nu are adresă.",
    connect: () => "Nu s-a putut deschide o conexiune.",
    "connect-timeout": () => "Nu s-a putut deschide o conexiune la timp.",
    tls: () => "Nu s-a putut conveni o conexiune sigură.",
    request: () => "Adresa nu poate fi apelată.",
    timeout: () => "Nu a venit niciun răspuns în 15 secunde.",
    broken: () => "Conexiunea s-a întrerupt înainte de răspuns.",
    "too-large": () => "Antetul răspunsului a fost prea mare.",
    protocol: () => "Răspunsul nu a fost HTTP.",
  },
};
