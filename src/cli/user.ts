import type { Command } from "commander";
import type { Deps } from "../kit/deps.ts";
import type { Tenant } from "../people/tenants/tenant-queries.ts";
import { factorOffMail } from "../people/users/factor-off-mail.ts";
import { resetFactor } from "../people/users/second-factor-queries.ts";
import { findByEmail, setPassword } from "../people/users/sign-in-queries.ts";
import { insertUser } from "../people/users/user-queries.ts";
import { userFields } from "../people/users/user.ts";
import { Refusal } from "../platform/refusal.ts";
import { trim } from "../platform/text.ts";
import { checkedValues, runsFor, type TenantWork } from "./arguments.ts";
import { ABOUT_PASSWORD, answerWith, readPassword } from "./password.ts";
import type { Invocation } from "./run-command.ts";

/** `user create`, `user set-password`, `user reset-second-factor` (docs/operations.md 3.2). */
export function registerUser(program: Command): void {
  const user = program
    .command("user")
    .description("Create users, and reset a forgotten password or a lost second factor.");
  const create = user
    .command("create")
    .description(`Create a user. ${ABOUT_PASSWORD}`)
    .requiredOption("--email <address>", "the user's e-mail address, unique in the tenant")
    .requiredOption("--name <name>", "the user's name")
    .option("--role <role>", "admin or member", "member");
  runsFor(create, createUser);
  const set = user
    .command("set-password")
    .description(`Set another password for a user who forgot it. Ends all sessions of the user. ${ABOUT_PASSWORD}`)
    .requiredOption("--email <address>", "the user's e-mail address");
  runsFor(set, setUserPassword);
  const reset = user
    .command("reset-second-factor")
    .description(
      "Switch off the second factor of a user who has lost it. Ends all sessions of the user; the password alone opens the " +
        "account then. An admin of the tenant can do the same in the web interface.",
    )
    .requiredOption("--email <address>", "the user's e-mail address");
  runsFor(reset, resetSecondFactor);
}

const createUser: TenantWork = async (deps, tenant, { options }) => {
  const { email, name, role } = checkedValues(userFields, options);
  const given = await readPassword({ email: String(email), workspace: tenant.slug });
  const passwordHash = await deps.passwords.hash(given.password);
  const user = await insertUser(tenant.id, deps.database, {
    email: String(email),
    name: String(name),
    role: role === "admin" ? role : "member",
    passwordHash,
  });
  if (user === null)
    throw new Refusal(`The tenant "${tenant.slug}" has a user with the e-mail address ${email} already.`);
  return answerWith(given, user, `Created the user ${email} (id ${user.id}).`);
};

const setUserPassword: TenantWork = async (deps, tenant, { options }) => {
  const { user, email } = await userNamed(deps, tenant, options);
  const given = await readPassword({ email, workspace: tenant.slug });
  await setPassword(tenant.id, deps.database, user.id, await deps.passwords.hash(given.password));
  const text = `The user ${email} has another password, and the user's sessions have ended.`;
  return answerWith(given, { id: Number(user.id), email }, text);
};

const resetSecondFactor: TenantWork = async (deps, tenant, { options }) => {
  const { user, email } = await userNamed(deps, tenant, options);
  const mails = factorOffMail(deps, tenant.id, user.id, "command");
  const reset = await resetFactor(tenant.id, deps.database, user.id, "command", mails);
  if (reset === "was-off") throw new Refusal(`The user ${email} has no second factor.`);
  if (reset === "break-glass") {
    throw new Refusal(
      `Without a second factor, nobody could sign in to "${tenant.slug}" by a password: ${email} alone may. ` +
        `Run \`liaison tenant allow-passwords ${tenant.slug}\` first.`,
    );
  }
  return {
    json: { id: Number(user.id), second_factor: false },
    text: `The second factor of ${email} is off, and the user's sessions have ended.`,
  };
};

/** The user that the options name. Throws Refusal. */
async function userNamed({ database }: Deps, tenant: Tenant, options: Invocation["options"]) {
  const email = trim(String(options.email));
  const user = await findByEmail(tenant.id, database, email);
  if (user === null) throw new Refusal(`The tenant "${tenant.slug}" has no user with the e-mail address ${email}.`);
  return { user, email };
}
