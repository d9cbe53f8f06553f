import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { parseLocks, type Lock } from "../engineLock";
import { backendEnv, type Workspace } from "../../../foundation/pulumi/backend";
import { Failure } from "../../../foundation/errors";
import { forAll } from "../../../kubernetes/client/pool";
import { withLocksIfAny } from "../../locks/locks";
import { checkLayout, stateOf, type StackState } from "./checkpoint";
import { parseLock, type StateStore } from "./stateStore";

/** Number of concurrent CLIs: each mostly waits for a remote backend. */
const AT_ONCE = 4;

const execute = promisify(execFile);

/** Reads any backend through the Pulumi CLI, which is slower. */
export class CommandStore implements StateStore {
  readonly isDirect = false;

  constructor(private readonly workspace: Workspace) {}

  async list(project: string): Promise<StackState[]> {
    const names = (await this.names(project)).sort();
    return (await forAll(names, (name) => this.find(project, name), AT_ONCE)).filter((state) => state !== undefined);
  }

  /** Without an organization, the CLI resolves the name in the project of its working folder. */
  async find(project: string, stack: string, organization?: string): Promise<StackState | undefined> {
    const name = organization === undefined ? stack : `${organization}/${project}/${stack}`;
    let text: string;
    try {
      text = await this.read("stack", "export", "--stack", name);
    } catch (error) {
      if (error instanceof Failure && /no stack named/.test(error.message)) return undefined;
      throw error;
    }
    const { version, deployment } = JSON.parse(text) as { version?: unknown; deployment?: unknown };
    checkLayout(name, version);
    return stateOf(stack, deployment);
  }

  async exists(project: string, stack: string): Promise<boolean> {
    return (await this.names(project)).includes(stack);
  }

  create(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /**
   * The CLI removes a stack only if its state is empty; `--force` ignores any content. So the resources in the state
   * are deleted first, by URN. Resources created meanwhile depend on these, so the command fails and they stay.
   */
  async removeIf(project: string, stack: string, isAsAsked: (state: StackState) => boolean): Promise<boolean> {
    const state = await this.find(project, stack);
    if (!state || !isAsAsked(state)) return false;
    const targets = state.resources.flatMap(({ urn }) => ["--target", urn]);
    try {
      if (targets.length > 0) await this.pulumi("destroy", "--stack", stack, "--yes", "--skip-preview", ...targets);
      await this.pulumi("stack", "rm", stack, "--yes", "--preserve-config");
      return true;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (parseLocks(error.message) !== undefined) return false;
      const after = await this.find(project, stack);
      if (after && isAsAsked(after)) throw error;
      return false;
    }
  }

  /** Backends that keep our own locks also expose the locks of the CLI. */
  async locks(project: string, stack: string): Promise<Lock[]> {
    const found = await withLocksIfAny(this.workspace, async (store) => {
      const names = await store.names(`locks/organization/${project}/${stack}/`);
      return Promise.all(
        names.map(async (name) => parseLock((await store.read(name)) ?? "", name.slice(name.lastIndexOf("/") + 1))),
      );
    });
    return (found ?? []).flat();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async names(project: string): Promise<string[]> {
    const text = await this.read("stack", "ls", "--json", "--project", project);
    return (JSON.parse(text) as { name: string }[]).map(({ name }) => name.split("/").at(-1) ?? name);
  }

  /** A failed read means that the backend is missing or not accessible. */
  private async read(...args: string[]): Promise<string> {
    try {
      return await this.pulumi(...args);
    } catch (error) {
      if (!(error instanceof Failure) || /no stack named/.test(error.message)) throw error;
      const reason = error.message.replace(/^pulumi [^:]*: (?:error: )?/, "");
      throw new Failure(
        `the state backend${placeOf(this.workspace.backend)} cannot be read: ${reason}; ` +
          "check PULUMI_BACKEND_URL and the credentials for it",
        "state",
      );
    }
  }

  private async pulumi(...args: string[]): Promise<string> {
    try {
      const { stdout } = await execute("pulumi", [...args, "--non-interactive"], {
        cwd: this.workspace.folder,
        env: { ...process.env, ...backendEnv(this.workspace) },
        maxBuffer: 1 << 28,
      });
      return stdout;
    } catch (error) {
      const said = (error as { stderr?: string }).stderr?.trim();
      throw new Failure(`pulumi ${args.join(" ")}: ${said || (error as Error).message}`);
    }
  }
}

/** The location of a URL, such as ` s3://bucket/path`, without credentials and settings. */
const placeOf = (url = ""): string => (url === "" ? "" : ` ${url.replace(/\?.*$/, "").replace(/\/\/[^/]*@/, "//")}`);
