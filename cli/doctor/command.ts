import { Command } from "commander";
import type { Context } from "../context";
import type { OutputOptions } from "../options/output";
import { filled } from "../options/parse";

/** `stackyard doctor`. */
export const doctorCommand = (context: Context): Command =>
  new Command("doctor")
    .description("check what a platform needs before its first update, with a remedy for each fault; changes nothing")
    .argument("[stack]", "platform stack; default: $STACKYARD_PLATFORM, else dev", filled)
    .option("--json", "as JSON")
    .helpOption("-h, --help", "print this help")
    .action(async (stack: string | undefined, options: OutputOptions) =>
      (await import("./doctor.js")).doctor(context, stack ?? (process.env["STACKYARD_PLATFORM"] || "dev"), options),
    );
