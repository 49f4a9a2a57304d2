import cluster from "node:cluster";
import { isIPv6 } from "node:net";
import type { Command } from "commander";
import { readSettings, type Config } from "../kit/config.ts";

/** Adds the option that names the settings file (docs/operations.md 2). */
export function readsConfig(command: Command): Command {
  return command.option(
    "--config <file>",
    "a file of settings that are not in the environment (default: /etc/liaison.env)",
  );
}

/** The commands that report unknown settings. */
const KEEPS_RUNNING = new Set(["serve", "worker"]);

/** The settings of a command; `options` are those that its own options replace. Throws ConfigError. */
export function configOf(command: Command, options: Record<string, string> = {}): Config {
  const { config: file } = command.optsWithGlobals<{ config?: string }>();
  const { config, remark, unknown } = readSettings(file, options);
  const remarks = [remark, KEEPS_RUNNING.has(command.name()) ? unknown : null];
  // Of several serving processes, only the parent prints them.
  if (cluster.isPrimary) for (const line of remarks) if (line !== null) console.error(line);
  return config;
}

/** The address of the server with these settings, for a link that a command prints. */
export function configuredAddress({ publicUrl, host, port }: Config): string {
  if (publicUrl !== null) return publicUrl;
  const isAny = host === "0.0.0.0" || host === "::";
  const named = isAny ? "127.0.0.1" : isIPv6(host) ? `[${host}]` : host;
  return `http://${named}:${port}`;
}
