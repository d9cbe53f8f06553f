import * as cf from "@aws-sdk/client-cloudformation";
import * as iam from "@aws-sdk/client-iam";
import * as sts from "@aws-sdk/client-sts";
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { layoutOf } from "../../../toolchain/yard/layout";
import { AccountServer } from "../../doubles/aws/account/accountServer";
import { connection } from "../../doubles/aws/moto/maker";
import type { MotoServer } from "../../doubles/aws/moto/server";
import type { Thing } from "../../doubles/aws/world";
import { shootsCluster } from "../../doubles/gardener/shootsCluster";
import { GitHubDouble } from "../../doubles/github";
import { envWithAws } from "../eks/world";
import { testYard } from "../runtime/yard";
import type { Place } from "../runtime/world";

const root = path.join(__dirname, "../../..");

export interface TestRun {
  readonly code: number;
  readonly text: string;
}

/** An account with one operator, two clusters of Kubernetes and GitHub, as the account test meets them. */
export class AccountWorld {
  readonly folder = mkdtempSync(path.join(tmpdir(), "stackyard-account-"));
  readonly github = new GitHubDouble();
  private env: NodeJS.ProcessEnv = {};

  private constructor(
    private readonly moto: MotoServer,
    private readonly kubeconfigs: readonly string[],
    private readonly place: Place,
    private readonly server: AccountServer,
  ) {}

  /** `imported`: name of the cluster that CloudFormation creates. */
  static async start(moto: MotoServer, imported: string): Promise<AccountWorld> {
    const place = await testYard();
    // A second API server, which tests of Shoots use too.
    await shootsCluster();
    const second = layoutOf(realpathSync(process.env["STACKYARD_TEST_YARD"] ?? "")).shoots;
    const { kubeconfig } = layoutOf(second);
    const server = await new AccountServer(moto.address, kubeconfig).start();
    const world = new AccountWorld(moto, [place.kubeconfig, kubeconfig], place, server);
    const pki = (yard: string): string => path.join(layoutOf(yard).cluster, "pki");
    const clusters = { default: pki(path.dirname(place.kubeconfig)), [imported]: pki(second) };
    await world.github.start();
    world.env = {
      ...place.env,
      ...envWithAws(place, world.folder),
      ...world.github.env,
      ...server.env,
      ...(await operator(moto.address)),
      AWS_REGION: "eu-central-1",
      STACKYARD_AWS_DOUBLE_CLUSTERS: JSON.stringify(clusters),
      HOME: process.env["HOME"],
    };
    process.env["STACKYARD_AWS_DOUBLE"] = path.join(world.folder, "aws.json");
    // AWS has the policy AmazonEKSViewPolicy beside the roles of a cluster; it grants what the ClusterRole `view` does.
    await world.kubectl("create", "clusterrolebinding", "eks-view", "--clusterrole=view", "--group=eks:view");
    return world;
  }

  async stop(): Promise<void> {
    const gone = "--ignore-not-found";
    await this.kubectl("delete", "clusterrolebinding", "eks-view", "stackyard-preview", gone);
    await this.kubectl("delete", "clusterrole", "stackyard-preview", gone);
    await this.kubectl("delete", "storageclass", "gp3", gone);
    await this.server.stop();
    await this.github.stop();
    delete process.env["STACKYARD_AWS_DOUBLE"];
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Starts `npm run test:account` with these arguments. */
  start(...args: string[]) {
    const main = ["--import", "tsx", path.join(root, "test/account/main.ts"), ...args];
    const child = spawn(process.execPath, main, { cwd: root, env: this.env, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    const watchers: (() => void)[] = [];
    const add = (chunk: string): void => {
      text += chunk;
      for (const look of watchers) look();
    };
    child.stdout.setEncoding("utf8").on("data", add);
    child.stderr.setEncoding("utf8").on("data", add);
    const ended = new Promise<TestRun>((resolve) => child.once("close", (code) => resolve({ code: code ?? -1, text })));
    return {
      ended,
      kill: (signal: NodeJS.Signals) => child.kill(signal),
      /** Resolves when it has said this; rejects if it ends before. */
      says: (expected: RegExp) =>
        new Promise<void>((resolve, reject) => {
          const look = (): void => (expected.test(text) ? resolve() : undefined);
          watchers.push(look);
          look();
          void ended.then(() => reject(new Error(`ended without ${expected.source}:\n${text}`)));
        }),
    };
  }

  run(...args: string[]): Promise<TestRun> {
    return this.start(...args).ended;
  }

  async until(fits: () => boolean): Promise<void> {
    while (!fits()) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  things(): Thing[] {
    const file = path.join(this.folder, "aws.json");
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Thing[]) : [];
  }

  /** Stacks of CloudFormation, and roles, that exist. */
  async existing(): Promise<string[]> {
    const at = connection(this.moto.address);
    const { Stacks = [] } = await new cf.CloudFormationClient(at).send(new cf.DescribeStacksCommand({}));
    const { Roles = [] } = await new iam.IAMClient(at).send(new iam.ListRolesCommand({}));
    return [...Stacks.map(({ StackName }) => `stack ${StackName}`), ...Roles.map(({ RoleName }) => `role ${RoleName}`)];
  }

  /** On both clusters. */
  private async kubectl(...args: string[]): Promise<void> {
    for (const kubeconfig of this.kubeconfigs)
      await promisify(execFile)("kubectl", ["--kubeconfig", kubeconfig, ...args], { env: this.place.env });
  }
}

/** Credentials of a role of the account, which may do everything. */
async function operator(moto: string): Promise<Record<string, string>> {
  const at = connection(moto);
  const trust = { Effect: "Allow", Principal: { AWS: "*" }, Action: "sts:AssumeRole" };
  const AssumeRolePolicyDocument = JSON.stringify({ Version: "2012-10-17", Statement: [trust] });
  const role = { RoleName: "operator", Path: "/people/", AssumeRolePolicyDocument };
  const { Role } = await new iam.IAMClient(at).send(new iam.CreateRoleCommand(role));
  const asked = new sts.AssumeRoleCommand({ RoleArn: Role?.Arn, RoleSessionName: "ada" });
  const { Credentials } = await new sts.STSClient(at).send(asked);
  return {
    AWS_ACCESS_KEY_ID: Credentials?.AccessKeyId ?? "",
    AWS_SECRET_ACCESS_KEY: Credentials?.SecretAccessKey ?? "",
    AWS_SESSION_TOKEN: Credentials?.SessionToken ?? "",
  };
}
