import { execFileSync } from "node:child_process";
import path from "node:path";
import { pythonEnvironment } from "../../../toolchain/python/environment";

const root = path.join(__dirname, "../../..");

/** AWS has this key; the linter's list is older. */
const NEWER = /Unknown condition elasticloadbalancing:CreateAction/;

/** What a linter of IAM (`parliament`) has against policy documents, by their names; or why it can't be asked here. */
export async function lint(
  documents: Readonly<Record<string, string>>,
): Promise<{ readonly findings: string[] } | { readonly missing: string }> {
  const environment = await pythonEnvironment("iam", root);
  if ("missing" in environment) return environment;
  const script = path.join(root, "test/fixtures/lintPolicies.py");
  const input = JSON.stringify(documents);
  const text = execFileSync(environment.python, [script], { input, encoding: "utf8" });
  return { findings: text.split("\n").filter((line) => line !== "" && !NEWER.test(line)) };
}
