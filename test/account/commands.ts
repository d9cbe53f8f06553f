/** Runs the product's commands, Pulumi, kubectl and git for a run, as one of its users. */

import { spawn, type ChildProcess } from "node:child_process";
import { appendFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import { Failure } from "../../foundation/errors";
import { backendEnv } from "../../foundation/pulumi/backend";
import type { AwsAccount } from "./aws/account";
import type { RunRecord } from "./record";

/** `caller` is who runs the test; the others are the roles that `stackyard bootstrap aws` creates. */
export type User = "caller" | "preview" | "deploy";

interface CommandOptions {
  readonly as?: User;
  /** What it must say when it fails, as it must. Default: it must succeed. */
  readonly failsWith?: RegExp;
  /** What it must say when it succeeds. */
  readonly says?: RegExp;
  readonly input?: string;
}

const SECONDS = 1000;

export class Commands {
  private child: ChildProcess | undefined;
  private ended: Promise<unknown> | undefined;
  private isStopped = false;

  /** `root`: the checkout whose product is tested. */
  constructor(
    private readonly root: string,
    private readonly repository: string,
    private readonly record: RunRecord,
    private readonly account: AwsAccount,
    private readonly say: (line: string) => void,
  ) {}

  /** The repository in which the platform is described. */
  get project(): string {
    return path.join(this.record.folder, "platform");
  }

  private get kubeconfig(): string {
    return path.join(this.record.folder, "kubeconfig");
  }

  stackyard(args: readonly string[], options?: CommandOptions): Promise<string> {
    return this.run(
      process.execPath,
      ["stackyard", ...args],
      [path.join(this.root, "cli/bin/stackyard"), ...args],
      options,
    );
  }

  pulumi(args: readonly string[], options?: CommandOptions): Promise<string> {
    return this.run("pulumi", ["pulumi", ...args], [...args, "--non-interactive"], options);
  }

  kubectl(args: readonly string[], options?: CommandOptions): Promise<string> {
    return this.run("kubectl", ["kubectl", ...args], ["--kubeconfig", this.kubeconfig, ...args], options);
  }

  git(...args: readonly string[]): Promise<string> {
    const who = ["-c", "user.name=account test", "-c", "user.email=account-test@example.com"];
    return this.run("git", ["git", ...args], [...who, ...args]);
  }

  /** Ends the running command as Ctrl-C does, and starts no other one. Pulumi finishes what it has begun. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.child?.kill("SIGINT");
    await this.ended;
  }

  /** Lets commands run again, to clean up. */
  goOn(): void {
    this.isStopped = false;
  }

  private async run(
    program: string,
    words: readonly string[],
    args: readonly string[],
    { as = "caller", failsWith, says, input = "" }: CommandOptions = {},
  ): Promise<string> {
    if (this.isStopped) throw new Failure("the run was stopped");
    const shown = words.slice(0, 6).join(" ").slice(0, 90);
    const started = Date.now();
    const { code, text, stdout } = await this.finished(program, args, await this.environment(as), input);
    const seconds = Math.round((Date.now() - started) / SECONDS);
    this.log(`$ ${words.join(" ")}  # as ${as}, exit code ${code}, ${seconds} s\n${text}\n`);
    this.say(`    ${shown} (${as}, ${seconds} s)`);
    if (this.isStopped) throw new Failure("the run was stopped");
    if (failsWith === undefined && code !== 0) {
      throw new Failure(`${words.join(" ")} ended with ${code}:\n${text.trim().split("\n").slice(-25).join("\n")}`);
    }
    const expected = failsWith ?? says;
    if (expected !== undefined && ((failsWith && code === 0) || !expected.test(text.replaceAll(/\s+/g, " ")))) {
      const how = failsWith ? "it fails and says" : "it says";
      throw new Failure(
        `${words.join(" ")} ended with ${code}; expected that ${how} ${expected.source}. It says:\n${text.trim()}`,
      );
    }
    return stdout;
  }

  private finished(program: string, args: readonly string[], env: NodeJS.ProcessEnv, input: string) {
    mkdirSync(this.project, { recursive: true });
    const ended = new Promise<{ code: number; text: string; stdout: string }>((resolve, reject) => {
      // In a group of its own: Ctrl-C reaches it through stop(), once. Pulumi takes a second one for an order to give up.
      const child = spawn(program, [...args], { cwd: this.project, env, detached: true });
      this.child = child;
      let [text, stdout] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        stdout += chunk;
      });
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      child.once("error", (cause) => reject(new Failure(`${program} could not be started: ${cause.message}`)));
      child.once("close", (code) => {
        this.child = undefined;
        resolve({ code: code ?? -1, text, stdout });
      });
      child.stdin.on("error", () => undefined).end(input);
    });
    this.ended = ended.catch(() => undefined);
    return ended;
  }

  private async environment(as: User): Promise<NodeJS.ProcessEnv> {
    const own = Object.fromEntries(Object.entries(process.env).filter(([key]) => as === "caller" || !ofCaller(key)));
    const role = as === "caller" ? {} : await this.account.credentialsOf(this.record.value(as));
    return {
      ...own,
      ...role,
      AWS_REGION: this.account.region,
      GITHUB_REPOSITORY: this.repository,
      STACKYARD_PROJECT: this.project,
      NO_COLOR: "1",
      ...(this.record.has("BackendUrl") && backendEnv({ backend: this.record.value("BackendUrl") })),
      // kubeconfigs of EKS call the aws CLI; where there is none, Stackyard's own program.
      PATH: [process.env["PATH"], path.join(this.root, "cli/aws/bin")].join(path.delimiter),
    };
  }

  private log(text: string): void {
    appendFileSync(path.join(this.record.folder, "log.txt"), text);
  }
}

/** Variables with which AWS' SDKs would take the credentials of the caller. */
const ofCaller = (key: string): boolean =>
  /^AWS_(PROFILE|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|ROLE_ARN|WEB_IDENTITY_TOKEN_FILE|CONTAINER_\w+)$/.test(
    key,
  );
