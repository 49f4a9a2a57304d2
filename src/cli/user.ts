import type { Command } from "commander";
import { insertUser } from "../people/users/user-queries.ts";
import { userFields } from "../people/users/user.ts";
import { Refusal } from "../platform/refusal.ts";
import { ABOUT_PASSWORD, answerWith, setAccountPassword, readPassword, resetSecondFactor } from "./accounts.ts";
import { checkedValues, runsFor, type TenantWork } from "./arguments.ts";

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
  runsFor(set, async (deps, tenant, { options }) => await setAccountPassword(deps, tenant, options));
  const reset = user
    .command("reset-second-factor")
    .description(
      "Switch off the second factor of a user who has lost it. Ends all sessions of the user; the password alone opens the " +
        "account then. An admin of the tenant can do the same in the web interface.",
    )
    .requiredOption("--email <address>", "the user's e-mail address");
  runsFor(reset, async (deps, tenant, { options }) => await resetSecondFactor(deps, tenant, options));
}

const createUser: TenantWork = async (deps, tenant, { options }) => {
  const { email, name, role } = checkedValues(userFields, options);
  const newPassword = await readPassword({ email: String(email), workspace: tenant.slug });
  const passwordHash = await deps.passwords.hash(newPassword.password);
  const user = await insertUser(tenant.id, deps.database, {
    email: String(email),
    name: String(name),
    role: role === "admin" ? role : "member",
    passwordHash,
  });
  if (user === null)
    throw new Refusal(`The tenant "${tenant.slug}" has a user with the e-mail address ${email} already.`);
  return answerWith(newPassword, user, `Created the user ${email} (id ${user.id}).`);
};
