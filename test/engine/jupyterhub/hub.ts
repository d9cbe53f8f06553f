import { writeFileSync } from "node:fs";
import path from "node:path";
import { renderLock } from "../../../components/charts/lock";
import { CHARTS } from "../../../components/charts/table";
import { ChartRepository, packDouble, sha256 } from "../../doubles/chartRepository";
import { testYard } from "../runtime/yard";
import { World, type Ended } from "../runtime/world";
import { secure } from "../../tools/warmPulumi/stackFile";

export const CLIENT_SECRET = "client-secret-that-nobody-may-see";

/** A platform stack for development with a JupyterHub from a double of its chart. */
export class HubWorld {
  readonly namespace: string;
  readonly stack: string;

  private constructor(
    readonly world: World,
    readonly repository: ChartRepository,
    private readonly lockFile: string,
  ) {
    this.namespace = `hub-${world.tag}`;
    this.stack = `dev-${world.tag}`;
  }

  static async create(): Promise<HubWorld> {
    const archive = await packDouble("jupyterhub");
    const world = new World(await testYard());
    // The user's cache of charts is a folder that goes with the test.
    world.setEnv("XDG_CACHE_HOME", path.join(world.folder, "cache"));
    const lockFile = path.join(world.folder, "lock.yaml");
    writeFileSync(
      lockFile,
      renderLock({ jupyterhub: { version: CHARTS.jupyterhub.version, digest: sha256(archive) } }),
    );
    return new HubWorld(world, await new ChartRepository({ jupyterhub: archive }).start(), lockFile);
  }

  /** Another machine: nothing was fetched there before. */
  forgetCharts(): void {
    this.world.setEnv("XDG_CACHE_HOME", path.join(this.world.folder, `cache-${Date.now()}`));
  }

  /** Writes the stack's config: Auth0 and a profile, with these changes. */
  async configure(
    jupyterhub: Record<string, unknown> = {},
    charts: Record<string, unknown> = {},
    kubeconfig = this.world.place.kubeconfig,
    stack = this.stack,
  ): Promise<void> {
    const { world } = this;
    const only = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    await world.configure("platform", stack, "stackyard", {
      cluster: { type: "existing", kubeconfig: { path: kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec: only } },
      defaultProvisioner: "only",
      charts: { mirror: this.repository.url, lock: "required", lockFile: this.lockFile, ...charts },
      jupyterhub: {
        namespace: this.namespace,
        host: "hub.example.com",
        tls: { type: "offload" },
        // Load balancers of the yard never get an address.
        service: { type: "ClusterIP" },
        auth: {
          type: "auth0",
          domain: "acme.eu.auth0.com",
          clientId: "client",
          clientSecret: secure(CLIENT_SECRET),
          adminUsers: ["ann@example.com"],
        },
        profiles: { small: { displayName: "Small", cpu: 1 } },
        timeoutSeconds: 120,
        ...jupyterhub,
      },
    });
  }

  /** Lets these claims go. */
  async allow(...claims: string[]): Promise<void> {
    for (const [index, claim] of claims.entries()) {
      const place = ["--path", `allowDataLoss[${index}]`, claim];
      await this.world.must("platform", "config", "set", "-s", this.stack, ...place);
    }
  }

  up = (): Promise<Ended> => this.world.pulumi("platform", "up", "-s", this.stack, "--yes", "--skip-preview");

  async mustUp(): Promise<string> {
    const { ok, text } = await this.up();
    if (!ok) throw new Error(text);
    return text;
  }

  preview = (...args: string[]): Promise<Ended> => this.world.pulumi("platform", "preview", "-s", this.stack, ...args);

  async end(): Promise<void> {
    await this.repository.stop();
    this.world.remove();
  }
}
