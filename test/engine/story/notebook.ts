import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { renderLock } from "../../../components/charts/lock";
import { CHARTS } from "../../../components/charts/table";
import { projectRoot } from "../../../toolchain/root";
import { hubImages } from "../../../toolchain/yard/processNode/hubImages";
import { processImages, type ProcessImage, type PythonFolders } from "../../../toolchain/yard/processNode/images";
import { ChartRepository, packDouble, sha256 } from "../../doubles/chartRepository";
import { CLIENT } from "../../doubles/issuer/codeFlow";
import { OidcIssuer } from "../../doubles/issuer/oidcIssuer";
import { secure } from "../../tools/warmPulumi/stackFile";
import { realChart } from "../../upstream/charts";
import { Browser } from "../jupyterhub/spawning";
import { machineAddress } from "../yard/nodeParts";
import type { Platform } from "./platform";

/** Versions of Ray, before and after an upgrade. */
export const RAY = { former: "2.59.0", newest: "2.60.0" } as const;
const USER = "eve@example.com";
const SIZE = { cpu: 2, memoryGb: 4 };
const IDLE_SECONDS = 5;

export const notebookImage = (ray: string): string => `quay.io/jupyter/scipy-notebook:2026-10-01-ray-${ray}`;

/**
 * Images of JupyterHub, and those of Ray and of notebooks with either version of Ray, whose tags name it. `folder` gets
 * the programs of those with the former one.
 */
export async function notebookImages(
  { formerRay, ...python }: Readonly<Record<"ray" | "formerRay" | "notebook" | "hub", PythonFolders>>,
  folder: string,
): Promise<readonly ProcessImage[]> {
  const newest = processImages(python);
  const lib = path.join(formerRay.environment, "lib");
  const packages = path.join(lib, (await readdir(lib))[0] ?? "", "site-packages");
  // Python finds the former package first.
  const program = (name: string): string =>
    `#!/bin/sh\nPATH="\${PATH#*:}"\nPYTHONPATH=${packages}\${PYTHONPATH:+:$PYTHONPATH} exec ${name} "$@"\n`;
  for (const name of ["ray", "python", "jupyterhub-singleuser"])
    await writeFile(path.join(folder, name), program(name), { mode: 0o755 });
  const former = newest.map(({ name, folders, env, ...image }) => ({
    ...image,
    name: `${name}.*${RAY.former.replaceAll(".", "\\.")}`,
    folders: [...folders, formerRay.environment, folder],
    env: { ...env, PATH: `${folder}:${env["PATH"]}`, BASH_ENV: "" },
  }));
  return [...former, ...newest, ...hubImages(python.hub, projectRoot())];
}

/**
 * JupyterHub with a user who logs in at an issuer, and a Ray cluster that grows and shrinks. The chart of JupyterHub is
 * the real one, from the folder in UPSTREAM or its repository, else its double.
 */
export class Notebook {
  readonly namespace: string;
  readonly rayNamespace: string;
  private readonly browser = new Browser();
  private url = "";

  private constructor(
    readonly platform: Platform,
    private readonly issuer: OidcIssuer,
    private readonly charts: ChartRepository,
    private readonly lockFile: string,
  ) {
    this.namespace = `hub-${platform.tag}`;
    this.rayNamespace = `ray-${platform.tag}`;
  }

  static async open(platform: Platform): Promise<Notebook> {
    const kubeconfig = await readFile(platform.place.kubeconfig, "utf8");
    const issuer = await new OidcIssuer().start(await machineAddress(kubeconfig));
    issuer.people.set("eve", { email: USER, email_verified: true, groups: ["data"] });
    issuer.next = "eve";
    const real = await realChart("jupyterhub", process.env["UPSTREAM"]);
    const archive = "missing" in real ? await packDouble("jupyterhub") : real.archive;
    if ("missing" in real) console.log(`      with a double of JupyterHub's chart: ${real.missing}`);
    const charts = await new ChartRepository({ jupyterhub: archive }).start();
    const { version } = CHARTS.jupyterhub;
    const lockFile = path.join(platform.folder, "lock.yaml");
    await writeFile(lockFile, renderLock({ jupyterhub: { version, digest: sha256(archive) } }));
    return new Notebook(platform, issuer, charts, lockFile);
  }

  async close(): Promise<void> {
    await this.charts.stop();
    await this.issuer.stop();
  }

  /** Keys of the platform's config. */
  config(): Readonly<Record<string, unknown>> {
    return {
      charts: { mirror: this.charts.url, lock: "required", lockFile: this.lockFile },
      ray: {
        one: {
          namespace: this.rayNamespace,
          mode: "autoscaling",
          rayVersion: RAY.former,
          reservedCpu: 0,
          reservedMemoryGb: 0,
          // Ray's process for a client starts in less than 30 seconds, but not on a busy machine.
          env: { RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S: "120" },
          head: SIZE,
          workerGroups: { worker: { ...SIZE, minReplicas: 1, maxReplicas: 2 } },
          autoscaler: { idleTimeoutSeconds: IDLE_SECONDS },
        },
      },
      jupyterhub: {
        namespace: this.namespace,
        host: new URL(CLIENT.callback).host,
        tls: { type: "offload" },
        service: { type: "ClusterIP" },
        image: notebookImage(RAY.former),
        auth: {
          type: "oidc",
          issuer: this.issuer.url,
          clientId: CLIENT.id,
          clientSecret: secure(CLIENT.secret),
          scopes: ["openid", "email", "profile", "offline_access"],
          allowedGroups: ["data"],
        },
        storage: { sizeGb: 1 },
        metadataBlock: "networkPolicy",
        // The scheduler of the chart is a simulated pod.
        values: { scheduling: { userScheduler: { enabled: false } } },
      },
    };
  }

  hubLog(): Promise<string> {
    return this.platform.kubectl(this.namespace, "logs", "deployment/hub");
  }

  /** Until hub and proxy are up and users reach them. */
  async isUp(): Promise<void> {
    const both = ["deployment/hub", "deployment/proxy", "--timeout=120s"];
    await this.platform.kubectl(this.namespace, "wait", "--for=condition=Available", ...both);
    this.url = await this.platform.forward(this.namespace, "proxy-public", "http");
  }

  async logIn(): Promise<void> {
    const { location } = await this.browser.open(`${this.url}/hub/oauth_login?next=`);
    const { pathname, search } = new URL((await this.browser.open(location)).location);
    const { text } = await this.browser.open(this.url + pathname + search);
    assert.match(text, /^302/, await this.hubLog());
  }

  /** The hub's page for a user who is logged in. */
  home = async (): Promise<string> => (await this.browser.open(`${this.url}/hub/home`)).text;

  async start(): Promise<void> {
    await this.browser.open(`${this.url}/hub/spawn`);
    await this.answers();
  }

  /** Stops the user's notebook as the button on the hub's page does. */
  async stop(): Promise<void> {
    await this.home(); // Its token is for the hub, not for the notebook.
    const server = `${this.url}/hub/api/users/${USER}/server?_xsrf=${this.browser.xsrf}`;
    const { text } = await this.browser.open(server, undefined, "DELETE");
    assert.match(text, /^20[24]/);
    await this.until("the notebook is stopped", async () => (await this.pods()).length === 0);
  }

  /** Until the user's notebook answers through the proxy. */
  answers(): Promise<void> {
    return this.until("the notebook answers", async () => {
      const { text } = await this.browser.open(`${this.url}/user/${USER}/api`);
      return text.includes('"version"');
    });
  }

  pods = (component = "singleuser-server"): ReturnType<Platform["pods"]> =>
    this.platform.pods(this.namespace, `component=${component}`);

  run(...command: string[]): Promise<string> {
    return this.platform.exec(this.namespace, "component=singleuser-server", ...command);
  }

  /** Names of Ray's workers that are ready. */
  async workers(): Promise<readonly string[]> {
    const pods = await this.platform.pods(this.rayNamespace, "app.kubernetes.io/component=worker");
    return pods.filter(({ isReady }) => isReady).map(({ metadata }) => metadata.name);
  }

  until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    return this.platform.until(what, isSo, { namespace: this.namespace, log: "deployment/hub" });
  }

  /** The same, with what the autoscaler says if it is not so. */
  rayUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
    return this.platform.until(what, isSo, { namespace: this.rayNamespace, log: "deployment/one-ray-head" });
  }
}
