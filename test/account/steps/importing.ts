import { Failure } from "../../../foundation/errors";
import { clusterTemplate, networkTemplate } from "../former";
import { commit } from "../platform";
import type { AccountStep } from "../step";
import { stacksOf } from "../aws/stacks";

interface Previewed {
  readonly steps: readonly { readonly op: string; readonly urn: string }[];
}

const HARMLESS = new Set(["import", "create", "update", "same", "read"]);

/** docs/eks-import.md with a cluster that CloudFormation made. */
export const importing: AccountStep = {
  name: "import",
  does: "a second cluster that CloudFormation made is taken over; nothing is replaced",
  minutes: 35,
  charged: { key: 3, cluster: 2, natGateway: 1, publicAddress: 2, node: 3, smallNode: 2, disk: 5 },

  async run(test) {
    const { options, names, record, commands, say } = test;
    const { imported, network, former } = names;
    const { region, publicCidr, kubernetesVersion: version } = options;
    const stacks = stacksOf(test);
    const remove = (stack: string): string =>
      `aws cloudformation delete-stack --stack-name ${stack} --region ${region}`;
    if (!record.has("forgotten")) {
      record.creates(`stack ${network}`, remove(network));
      const outputs = await stacks.create(network, networkTemplate(imported));
      record.creates(
        `cluster ${imported}`,
        `aws eks delete-cluster --name ${imported} --region ${region}   # after its node group nodes`,
      );
      record.creates(`stack ${former}`, remove(former));
      await stacks.create(former, clusterTemplate({ name: imported, version, publicCidr }, outputs));
      const files = await commands.git("ls-files", `Pulumi.${imported}.yaml`);
      if (files === "") {
        await commands.stackyard(["eks", "import", imported, "--region", region, "--stack", imported]);
        await commands.pulumi([
          "stack",
          "select",
          imported,
          "--create",
          "--secrets-provider",
          record.value("SecretsProvider"),
        ]);
        await commit(test, `Import ${imported}`);
      }
      const text = await commands.pulumi(["preview", "--stack", imported, "--json"]);
      const { steps } = JSON.parse(text.slice(text.indexOf("{"))) as Previewed;
      const harm = steps.filter(({ op }) => !HARMLESS.has(op)).map(({ op, urn }) => `${op} ${urn}`);
      const count = steps.filter(({ op }) => op === "import").length;
      if (harm.length > 0 || count === 0)
        throw new Failure(
          `the preview of ${imported} imports ${count} resources, and would do: ${harm.join(", ") || "nothing else"}`,
        );
      say(`    ${count} resources are imported, nothing is replaced or deleted`);
      // CloudFormation keeps the cluster and its nodes, and manages them no longer.
      await stacks.delete(former);
      record.deleted(`stack ${former}`);
      record.set({ forgotten: former });
    }
    record.creates(`platform ${imported}`, `pulumi destroy --stack ${imported}   # in ${commands.project}`);
    await commands.pulumi(["up", "--stack", imported, "--yes", "--skip-preview"]);
    await commands.pulumi(["preview", "--stack", imported, "--expect-no-changes"]);
  },
};
