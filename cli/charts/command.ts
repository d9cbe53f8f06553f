import type { Command } from "commander";
import { LOCK_FILE } from "../../components/charts/lock";
import type { Context } from "../context";
import { actions } from "../options/action";
import { group } from "../options/group";
import { outputOptions } from "../options/output";
import { filled } from "../options/parse";
import { PASSWORD_VARIABLE } from "./options";

/** `stackyard charts …`. */
export function chartsCommand(context: Context): Command {
  const run = actions(context);
  const charts = group("charts", "upstream Helm charts that the platform installs");
  charts
    .command("lock")
    .description("record the digests of charts, and of a stack's images, in the lock file; commit that file")
    .argument("[chart...]", "charts to record; default: all charts of the platform")
    .option(
      "--stack <name>",
      "use what this stack uses: versions, mirror with user and password, images if it has images.lock",
      filled,
    )
    .option("--mirror <url|folder>", "fetch them from this mirror instead of their own repositories", filled)
    .option("--username <name>", `user of the mirror; the password is in the variable ${PASSWORD_VARIABLE}`, filled)
    .option(
      "--file <path>",
      `the lock file, relative to the project folder; default: the stack's, else ${LOCK_FILE}`,
      filled,
    )
    .option("--replace", "accept another digest for a version that is recorded already")
    .action(run(async () => (await import("./lock.js")).lockCharts));
  const images = charts
    .command("images")
    .description("list every image and chart that a stack needs, to mirror them")
    .argument("[stack]", "stack of the platform; default: none, and the images of all upstream charts", filled);
  outputOptions(images, ["json", "yaml", "id"]).action(run(async () => (await import("./images.js")).listImages));
  return charts;
}
