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

if (window.PublicKeyCredential?.parseRequestOptionsFromJSON === undefined) {
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
      ? navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(get) })
      : navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(create) }));
    form.elements.answer.value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch ({ name }) {
    button.disabled = false;
    say({ InvalidStateError: known, SecurityError: elsewhere }[name] ?? failed);
  }
}

function say(message) {
  const line = document.createElement("p");
  line.className = "error";
  line.textContent = message;
  said.replaceChildren(line);
}
