/** Asks the browser for a passkey, and posts its answer with the form of the page. */

const form = document.querySelector("form[data-passkey]");
const button = form.querySelector("button");
const said = document.getElementById("passkey-said");
const { create, get, failed, known, elsewhere } = JSON.parse(form.dataset.passkey);

form.addEventListener("submit", (event) => {
  if (form.elements.answer.value !== "") return;
  event.preventDefault();
  void ask();
});

if (window.PublicKeyCredential === undefined || navigator.credentials === undefined) {
  say(elsewhere);
} else {
  button.disabled = false;
  if (form.dataset.start === "true") void ask();
}

async function ask() {
  said.replaceChildren();
  button.disabled = true;
  try {
    const credential = await (create === undefined
      ? navigator.credentials.get({ publicKey: optionsOf(get) })
      : navigator.credentials.create({ publicKey: optionsOf(create) }));
    form.elements.answer.value = JSON.stringify(answerOf(credential));
    form.submit();
  } catch (error) {
    button.disabled = false;
    say({ InvalidStateError: known, SecurityError: elsewhere }[error?.name] ?? failed);
  }
}

/*
 * The browser's own `parseRequestOptionsFromJSON` and `toJSON` are not used. Older browsers lack them, and password
 * managers replace the credential by an object whose `toJSON` is missing or throws, after the passkey was made.
 */

/** The options with bytes in the places of their texts. */
function optionsOf({ challenge, user, excludeCredentials, allowCredentials, ...options }) {
  const listed = (credentials) => credentials?.map((each) => ({ ...each, id: bytesOf(each.id) }));
  return {
    ...options,
    challenge: bytesOf(challenge),
    ...(user && { user: { ...user, id: bytesOf(user.id) } }),
    ...(excludeCredentials && { excludeCredentials: listed(excludeCredentials) }),
    ...(allowCredentials && { allowCredentials: listed(allowCredentials) }),
  };
}

function answerOf({ rawId, type = "public-key", authenticatorAttachment = null, response }) {
  const id = textOf(rawId);
  const names = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const texts = names.filter((name) => response[name]).map((name) => [name, textOf(response[name])]);
  return {
    id,
    rawId: id,
    type,
    authenticatorAttachment,
    clientExtensionResults: {},
    response: { ...Object.fromEntries(texts), transports: transportsOf(response) },
  };
}

/** A method of the browser throws where a password manager has copied it to an object of its own. */
function transportsOf(response) {
  try {
    return response.getTransports?.() ?? [];
  } catch {
    return [];
  }
}

function bytesOf(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function textOf(bytes) {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function say(message) {
  const line = document.createElement("p");
  line.className = "error";
  line.textContent = message;
  said.replaceChildren(line);
}
