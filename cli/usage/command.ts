import { Command, InvalidArgumentError, Option } from "commander";
import type { Context } from "../context";
import { outputOptions } from "../options/output";
import { filled } from "../options/parse";
import { USAGE_KINDS } from "./groups";
import type { UsageOptions } from "./usage";

function duration(text: string): string {
  if (!/^[1-9]\d{0,4}[mhd]$/.test(text)) throw new InvalidArgumentError("Expected a duration, such as 90m, 24h or 7d.");
  return text;
}

/** `stackyard usage`. */
export const usageCommand = (context: Context): Command =>
  outputOptions(
    new Command("usage")
      .description("show what runs on a platform's cluster, what it requests and what it costs, by what it runs for")
      .argument("[stack]", "platform stack; default: $STACKYARD_PLATFORM, else dev", filled)
      .addOption(
        new Option("--by <kind>", "only these; default: each pod once, under the first that fits").choices([
          ...USAGE_KINDS,
        ]),
      )
      .option("--since <duration>", "time over which OpenCost sums costs", duration, "24h")
      .helpOption("-h, --help", "print this help"),
    ["json", "yaml"],
  ).action(async (stack: string | undefined, options: UsageOptions) =>
    (await import("./usage.js")).showUsage(context, stack ?? (process.env["STACKYARD_PLATFORM"] || "dev"), options),
  );
