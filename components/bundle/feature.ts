import { serverOf } from "../cluster/clusterConfig";
import { afterIngress } from "../contract/site";
import { feature } from "../feature";
import { decodeBundles } from "./config/decode";
import { bundleClassesSchema, bundlesSchema, instancesSchema } from "./config/schema";
import type { PlannedInstance } from "./settings";

export interface BundlePart {
  /** Enabled bundle instances, dependencies first. */
  readonly bundles: readonly PlannedInstance[];
}

/** Bundles: manifests, Helm charts and operators that the user names. */
export const bundle = feature({
  name: "bundle",
  keys: { bundleClasses: bundleClassesSchema, bundles: bundlesSchema, instances: instancesSchema },
  ownCharts: ["dashboards"],
  component: {
    name: "Bundle",
    description: "One version of a bundle in one namespace: manifests, a Helm chart or an operator.",
    places: [
      {
        at: ["instances", "<name>"],
        named: ["bundle"],
        omit: ["enabled", "kubeconfig", "context", "dependsOn"],
      },
      { at: ["bundles", "<name>"], named: ["class"] },
      // A class of its own, for the format.
      { at: ["bundleClasses", "<name>"], omit: ["sources", "pin", "default", "defaults"] },
    ],
    outputs: {
      release: {
        at: ["bundles", "<name>"],
        type: "object",
        description: "What runs: bundle, version, namespace, digest.",
      },
    },
  },
  reference: [
    {
      title: "Bundle classes",
      intro: "[More about bundles of a platform](bundle-instances.md).",
      at: ["bundleClasses", "<name>"],
    },
    { title: "Bundles", at: ["bundles", "<name>"], omit: ["versions"] },
    {
      title: "Versions of a bundle",
      isNested: true,
      at: ["bundles", "<name>", "versions", "<version>"],
      omit: ["sources"],
    },
    { at: ["bundles", "<name>", "versions", "<version>", "sources", "[]"], variant: "Source" },
    { title: "Instances", at: ["instances", "<name>"] },
  ],
  outputs: [
    {
      name: "bundles",
      secret: false,
      sometimes: true,
      description: "Instances of bundles by name: bundle, version, namespace, digest. Absent if there are none.",
    },
  ],

  decode(read, context): BundlePart {
    const [classes, bundles, instances] = [read("bundleClasses"), read("bundles"), read("instances")];
    const server = serverOf(context.offers.cluster.config);
    return { bundles: decodeBundles({ classes, bundles, instances, server }, context) };
  },
  namespaces: ({ bundles }) =>
    bundles.map(({ name, settings: { createNamespace, namespace, access, protection } }) => ({
      base: ["instances", name],
      createNamespace,
      server: access?.server,
      namespace,
      config: protection,
    })),

  async create({ bundles: instances }, site) {
    if (instances.length === 0) return undefined;
    const { Bundles } = await import("./bundles.js");
    const { cluster, roles } = site.provided;
    const { parent, dependsOn } = afterIngress(site);
    // Pods get a role when they start, so it is there before them.
    const after = [...dependsOn, ...(roles ? [roles] : [])];
    const created = new Bundles(site.named("bundles"), { cluster, instances }, { parent, dependsOn: after });
    return { stateful: [created], outputs: { bundles: created.outputs } };
  },
});
