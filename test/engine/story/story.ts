import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { yardNode } from "../../../toolchain/tools/yardNode";
import { startProcessNode, stopProcessNode } from "../../../toolchain/yard/processNode/node";
import { storeImage } from "../../../toolchain/yard/processNode/store";
import { terasliceStack } from "../../../toolchain/yard/processNode/teraslice";
import { testYard } from "../runtime/yard";
import { nodePython } from "../yard/nodeParts";
import { Notebook, notebookImages } from "./notebook";
import { Platform } from "./platform";
import { Teraslice, type Size } from "./teraslice";

/** A platform with the parts that this machine can run as processes. */
export class Story {
  private constructor(
    readonly platform: Platform,
    /** Why it has no other parts. */
    readonly missing: readonly string[],
    readonly notebook: Notebook | undefined,
    readonly teraslice: Teraslice | undefined,
  ) {}

  static async open(size: Size): Promise<Story | { readonly missing: readonly string[] }> {
    const root = projectRoot();
    const python = await nodePython("ray", "formerRay", "notebook", "hub");
    const stack = await terasliceStack(root);
    const missing = [python, stack].flatMap((part) => ("missing" in part ? [part.missing] : []));
    if ("missing" in python && "missing" in stack) return { missing };
    const platform = new Platform(await testYard());
    const images = [
      ...("missing" in python ? [] : await notebookImages(python, platform.programs)),
      ...("missing" in stack ? [] : [...stack.images, await storeImage(root)]),
    ];
    const { programs } = await ensureTools(root, [yardNode]);
    await startProcessNode(process.env["STACKYARD_TEST_YARD"] ?? "", programs["yard-node"] ?? "", images);
    const notebook = "missing" in python ? undefined : await Notebook.open(platform);
    return new Story(
      platform,
      missing,
      notebook,
      "missing" in stack ? undefined : new Teraslice(platform, stack, size),
    );
  }

  async close(): Promise<void> {
    this.teraslice?.close();
    await this.notebook?.close();
    this.platform.close();
    await stopProcessNode(process.env["STACKYARD_TEST_YARD"] ?? "");
  }

  async deploy(): Promise<void> {
    const { notebook, teraslice, platform } = this;
    await teraslice?.prepare();
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    await platform.project.platform({
      cluster: { type: "existing", kubeconfig: { path: platform.place.kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec } },
      defaultProvisioner: "only",
      ...notebook?.config(),
      ...teraslice?.config(),
    });
  }

  /** Namespaces of the story, by the tag in their names. */
  async namespaces(): Promise<readonly string[]> {
    const { platform } = this;
    const all = await platform.kubectl("default", "get", "namespaces", "-o", "name");
    const own = all.split("\n").filter((name) => name.endsWith(platform.tag));
    return own.map((name) => name.replace("namespace/", ""));
  }

  /** Each disk with the uid of its claim, its volume, and digests of what is on it for good. */
  async disks(): Promise<readonly string[]> {
    const { platform, notebook, teraslice } = this;
    const columns = `{range .items[*]}{.metadata.namespace}/{.metadata.name} {.metadata.uid} {.spec.volumeName}{"\\n"}{end}`;
    const claims: string[] = [];
    for (const namespace of await this.namespaces())
      claims.push(...(await platform.kubectl(namespace, "get", "pvc", "-o", `jsonpath=${columns}`)).split("\n"));
    const file = notebook && (await notebook.run("sha256sum", "/home/jovyan/kept"));
    return [...claims, ...(file === undefined ? [] : [file]), ...((await teraslice?.assets()) ?? [])].filter(
      (line) => line !== "",
    );
  }

  /** Destroys it with all disks, as the pages on data safety and JupyterHub say. */
  async destroy(): Promise<void> {
    const { platform, notebook } = this;
    if (notebook) {
      await platform.change({
        "jupyterhub.userVolumes": "delete",
        "allowDataLoss[0]": `${notebook.namespace}/*`,
      });
    }
    await platform.project.remove();
    // What was there before the platform stays, and so do namespaces that several platforms may use.
    for (const namespace of await this.namespaces())
      await platform.kubectl("default", "delete", "namespace", namespace, "--timeout=120s");
  }

  /** What of the story is still in the cluster. */
  async left(): Promise<readonly string[]> {
    const { platform } = this;
    const pods = ["get", "pods", "-A", "--field-selector=spec.nodeName=processes", "-o", "name"];
    const found = await platform.kubectl("default", ...pods);
    const volumes = await platform.kubectl(
      "default",
      "get",
      "pv",
      "-o",
      "jsonpath={.items[*].spec.claimRef.namespace}",
    );
    const own = volumes.split(" ").filter((namespace) => namespace.endsWith(platform.tag));
    return [...(await this.namespaces()), ...found.split("\n"), ...own].filter((name) => name !== "");
  }
}
