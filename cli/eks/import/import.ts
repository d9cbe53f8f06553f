import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { stringify } from "yaml";
import { renderEksImports } from "../../../components/cluster/onEks/eksImports";
import { eksFaults } from "../../../components/eks/config/checks";
import { eksCluster } from "../../../components/eks/config/schema";
import { renderPath } from "../../../foundation/schema/faults";
import { Failure, UsageError } from "../../../foundation/errors";
import type { Context } from "../../context";
import { AwsQuestions } from "../awsQuestions";
import type { EksImportOptions } from "../options";
import { obstacles, planImport, type ImportPlan } from "./plan";
import { readEks } from "./read";

const HEAD = `# A cluster that existed before this stack; \`stackyard eks import\` wrote what it found. docs/eks-import.md of Stackyard says how to go on.
`;

/** Writes a stack file and the imports of an existing cluster; changes nothing in AWS. */
export async function importEks(context: Context, name: string, options: EksImportOptions): Promise<void> {
  const { stack = name, dryRun = false } = options;
  const region = options.region ?? process.env["AWS_REGION"] ?? process.env["AWS_DEFAULT_REGION"];
  if (region === undefined) throw new UsageError("expected --region, or AWS_REGION in the environment");
  const files = { stack: `Pulumi.${stack}.yaml`, imports: `eks-imports.${stack}.yaml` };
  const there = Object.values(files).filter((file) => existsSync(path.join(context.root, file)));
  if (there.length > 0 && !dryRun)
    throw new Failure(
      `found ${there.join(" and ")}; expected no such file. Name another stack with --stack, or remove it`,
    );
  const seen = await readEks(name, region, new AwsQuestions(region), (what) =>
    context.live.status(`  reading ${what}`),
  );
  context.live.end();
  const trouble = obstacles(seen);
  if (trouble.length > 0) throw new Failure([`${name} can't be imported:`, ...items(trouble)].join("\n"));
  const plan = planImport(seen, files.imports);
  refuseFaults(name, plan);
  context.print(report(name, plan));
  const texts = {
    [files.stack]: HEAD + stringify({ config: { "stackyard:cluster": plan.cluster } }, { lineWidth: 0 }),
    [files.imports]: renderEksImports(plan.imports),
  };
  if (dryRun) return context.live.line("nothing was written (--dry-run)");
  for (const [file, text] of Object.entries(texts)) {
    await writeFile(path.join(context.root, file), text, { flag: "wx" });
    context.live.line(`${file} is written`);
  }
  context.live.line(
    `Next: pulumi stack init ${stack}, then pulumi preview -s ${stack}; it must replace and delete nothing`,
  );
}

const items = (all: readonly string[]): string[] => all.map((one) => `  - ${one}`);

/** The config has to be one that the platform takes, before it is written. */
function refuseFaults(name: string, { cluster }: ImportPlan): void {
  const read = eksCluster.safeParse(cluster);
  const faults = read.success
    ? eksFaults(read.data, ["cluster"]).map(({ path: at, message }) => `${renderPath(at)}: ${message}`)
    : read.error.issues.map(
        ({ path: at, message }) => `${renderPath(["cluster", ...at.map(String)])}: expected ${message}`,
      );
  if (faults.length === 0) return;
  throw new Failure(
    [
      `${name} has what the stack file can't say; change it in AWS, or use the cluster with type: existing:`,
      ...items(faults),
    ].join("\n"),
  );
}

function report(name: string, { imports, kept, changed, outside }: ImportPlan): string {
  const section = (title: string, all: readonly string[]): string[] =>
    all.length === 0 ? [] : ["", title, ...items(all)];
  return [
    `${imports.length} resources of ${name} are imported`,
    ...section("Stays as it is; the key that changes it is first:", kept),
    ...section("Changes with the first update:", changed),
    ...section("Is not taken over:", outside),
  ].join("\n");
}
