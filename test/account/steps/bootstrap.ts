import { writeFileSync } from "node:fs";
import path from "node:path";
import type { AccountStep } from "../step";
import { stacksOf } from "../aws/stacks";

/** The template that docs/bootstrap.md has an administrator deploy. */
export const bootstrap: AccountStep = {
  name: "bootstrap",
  does: "state bucket, key and roles of CI, by the template of `stackyard bootstrap aws`",
  minutes: 4,
  charged: { key: 1 },

  async run(test) {
    const { options, names, record, account, commands, say } = test;
    const trust = "identity provider of GitHub Actions";
    const isOwn = record.isCreated(trust) || (await account.gitHubTrust()) === undefined;
    const named = ["--repository", options.repository, "--name", options.name, "--clusters", `${options.name}-`];
    const template = await commands.stackyard(["bootstrap", "aws", ...named, ...(isOwn ? [] : ["--existing-trust"])]);
    writeFileSync(path.join(record.folder, "bootstrap.yaml"), template);
    const aws = (text: string): string => `aws ${text} --region ${options.region}`;
    record.creates(`stack ${names.bootstrap}`, aws(`cloudformation delete-stack --stack-name ${names.bootstrap}`));
    record.creates(`bucket ${names.bucket}`, aws(`s3 rb --force s3://${names.bucket}`));
    if (isOwn) {
      const arn = `arn:aws:iam::${options.account}:oidc-provider/token.actions.githubusercontent.com`;
      record.creates(trust, `aws iam delete-open-id-connect-provider --open-id-connect-provider-arn ${arn}`);
    }
    const outputs = await stacksOf(test).create(names.bootstrap, template);
    const { BackendUrl = "", SecretsProvider = "", PreviewRole = "", DeployRole = "" } = outputs;
    const { principal } = await account.caller();
    record.set({ BackendUrl, SecretsProvider, preview: PreviewRole, deploy: DeployRole, principal });
    // Jobs of GitHub assume the roles by a token, which nobody has here. What the roles may do stays as printed.
    for (const role of [PreviewRole, DeployRole]) await account.letAssume(role, principal);
    say(`    ${principal} may assume ${names.roles.join(" and ")}`);
  },
};
