import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { CHARTS } from "../../../../components/charts/table";

/** The CustomResourceDefinitions of the release of Karpenter for AWS whose chart is installed, from its Go module; or why they can't be had here. */
export async function karpenterCrds(): Promise<{ readonly files: readonly string[] } | { readonly missing: string }> {
  const module = `github.com/aws/karpenter-provider-aws@v${CHARTS.karpenter.version}`;
  try {
    const { stdout } = await promisify(execFile)("go", ["mod", "download", "-json", module], {
      cwd: tmpdir(),
      env: { ...process.env, GOWORK: "off" },
    });
    const { Dir } = JSON.parse(stdout) as { Dir: string };
    const names = ["karpenter.sh_nodepools", "karpenter.k8s.aws_ec2nodeclasses"];
    return { files: names.map((name) => path.join(Dir, "pkg/apis/crds", `${name}.yaml`)) };
  } catch (error) {
    return { missing: `${module}: ${error instanceof Error ? error.message : String(error)}` };
  }
}
