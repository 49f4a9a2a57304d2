import type { Command } from "commander";
import { Refusal } from "../platform/refusal.ts";
import { hashPassword } from "../users/password-hash.ts";
import { insertUser } from "../users/user-queries.ts";
import { userFields } from "../users/user.ts";
import { checkedValues, tenantNamed } from "./arguments.ts";
import { runs, type Work } from "./run-command.ts";
import { readPassword } from "./password.ts";

/** `user create` (docs/operations.md 3.2). */
export function registerUser(program: Command): void {
  const user = program.command("user").description("Create users.");
  const create = user
    .command("create")
    .description(
      "Create a user. The password is read from standard input where it is not a terminal (12 characters or more, " +
        "none of the commonest, within 5 seconds); where nothing comes one is generated and shown, this once.",
    )
    .requiredOption("--tenant <slug>", "the user's tenant")
    .requiredOption("--email <address>", "the user's e-mail address, unique in the tenant")
    .requiredOption("--name <name>", "the user's name")
    .option("--role <role>", "admin or member", "member");
  runs(create, createUser);
}

const createUser: Work = async (deps, { options }) => {
  const tenant = await tenantNamed(deps, options.tenant);
  const { email, name, role } = checkedValues(userFields, options);
  const { password, isGenerated } = await readPassword({ email: String(email), workspace: tenant.slug });
  const passwordHash = await hashPassword(password);
  const user = await insertUser(tenant.id, deps.database, {
    email: String(email),
    name: String(name),
    role: role === "admin" ? role : "member",
    passwordHash,
  });
  if (user === null)
    throw new Refusal(`The tenant "${tenant.slug}" has a user with the e-mail address ${email} already.`);
  const created = `Created the user ${email} (id ${user.id}).`;
  return isGenerated
    ? { json: { ...user, password }, text: `${created}\nPassword, shown only now: ${password}` }
    : { json: user, text: created };
};
