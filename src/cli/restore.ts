import type { Command } from "commander";
import { restoreBackup, type Restored } from "../operation/backup/restore-backup.ts";
import { hold, resume } from "../operation/backup/resume-after-loss.ts";
import { passphraseOf, passphraseOption } from "./backup.ts";
import { describeFailure } from "./failure.ts";
import { showProgress } from "./progress.ts";
import { wordsOfHold } from "./remark-on-held-calls.ts";
import { runs, runsAlone } from "./run-command.ts";

/** `restore`, `hold` and `resume` (docs/operations.md 7 and 15). */
export function registerRestore(program: Command): void {
  registerRestoring(program);
  registerHold(program);
  registerResume(program);
}

function registerRestoring(program: Command): void {
  const restore = program
    .command("restore")
    .description(
      "Fill an empty database, or data directory, with a backup of this or an older release. It makes no outgoing calls until `resume`.",
    )
    .argument("<file>", "the backup")
    .option(...passphraseOption)
    .option("--resume", "make outgoing calls at once: for a move, if the old instance was stopped before the backup");
  runsAlone(restore, async (config, logger, { operands: [file = ""], options, signal }) => {
    const progress = showProgress();
    const resumes = options.resume === true;
    const restored = await restoreBackup(config, logger, {
      file,
      passphrase: passphraseOf(options),
      resumes,
      signal,
      onProgress: (what) => progress.show(() => `restoring ${what}`),
      describe: describeFailure,
    }).finally(progress.end);
    const { rows, tables } = restored;
    return {
      json: { rows, tables },
      text: `${rows} rows of ${tables} tables are restored. ${afterwards(restored, resumes)}`,
    };
  });
}

function afterwards({ takenAt, hold }: Restored, resumes: boolean): string {
  const undone = `Keys that were revoked, tenants that were suspended and people who were deactivated since ${takenAt} are active again: repeat that.`;
  const next =
    "Before servers are started: `liaison resume --after-loss` if the old database continued after the backup, otherwise `liaison resume`. Until then no calls are made.";
  if (!resumes) return `${undone} ${next}`;
  return hold === null ? undone : `${undone} ${wordsOfHold(hold)}`;
}

function registerHold(program: Command): void {
  const command = program
    .command("hold")
    .description("Hold all outgoing calls until `resume`: orders, look-ups and webhooks.");
  runs(command, async (deps) => {
    const before = await hold(deps);
    const text =
      before === null
        ? "Calls to others are held: within five seconds no server and no worker begins one. `liaison resume` ends that."
        : wordsOfHold(before);
    return { json: { held: true }, text };
  });
}

function registerResume(program: Command): void {
  const command = program
    .command("resume")
    .description("Make held outgoing calls again: orders, look-ups and webhooks.")
    .option(
      "--after-loss",
      "the database has lost ids that it gave out: skip a million numbers of every sequence, and look each invoice up before it is sent. Also if calls are not held",
    );
  runs(command, async (deps, { options }) => {
    const isAfterLoss = options.afterLoss === true;
    const sequences = await resume(deps, isAfterLoss);
    const text = isAfterLoss
      ? `Calls are made again. ${sequences} sequences skip a million numbers. Every earlier invoice is locked, and looked up before it is sent.`
      : "Calls are made again.";
    return { json: { resumed: true, after_loss: isAfterLoss }, text };
  });
}
