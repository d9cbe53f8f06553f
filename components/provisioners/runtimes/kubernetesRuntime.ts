import type * as z from "zod";
import type { Path } from "../../../foundation/schema/faults";
import { foundAt } from "../../../foundation/schema/issues";
import { strict } from "../../../foundation/schema/fields";
import { mirrored } from "../../charts/images";
import { feature } from "../../feature";
import { decodeKubernetes, kubernetesSchema, templatesFaults } from "../../runtime/types/kubernetes/config";
import { kubernetesType } from "../../runtime/types/kubernetes/type";
import type { ProvisionerConfig } from "../../runtime/types/provisionerType";
import { createOne, deploymentFields, planBaseOf, runtimeOutputs } from "./settings";

/** Access to the cluster is an argument of every component. */
const { shape: placeFields } = kubernetesSchema.shape.spec.omit({ kubeconfig: true, context: true, cluster: true });

const schema = strict("an object with namespace, host, image, slots and version", {
  ...placeFields,
  ...deploymentFields,
}).describe("The runtime.");

/** In records and annotations, in place of the name of a provisioner. */
const PROVISIONER = "kubernetes";
const PATH = ["runtime"];

interface KubernetesRuntimePart {
  /** Not set if it has faults. */
  readonly runtime?: z.output<typeof schema> & { readonly place: ProvisionerConfig };
}

/** The component for one runtime in a cluster, with the templates of its program. It is no feature of a platform. */
export const kubernetesRuntime = feature({
  name: "provisioners",
  keys: { runtime: schema },
  component: {
    name: "KubernetesRuntime",
    description: "One runtime in a Kubernetes cluster: its own objects, from templates of Go, with its own disk.",
    places: [{ at: PATH, named: ["id"] }],
    outputs: runtimeOutputs,
  },

  decode(read, context): KubernetesRuntimePart {
    const spec = read("runtime");
    if (spec === undefined) return {};
    const found = (path: Path): string => foundAt(context.place, path);
    context.faults.push(...templatesFaults([...PATH, "templates"], spec.templates, found));
    const place = decodeKubernetes(context, PATH, { type: "kubernetes", spec });
    return place ? { runtime: { ...spec, place } } : {};
  },
  mirrored: ({ runtime, images }) =>
    runtime
      ? {
          runtime: {
            ...runtime,
            place: { ...runtime.place, settings: mirrored(runtime.place.settings, images) },
          },
        }
      : {},
  namespaces: ({ runtime }) =>
    runtime
      ? [
          {
            base: PATH,
            createNamespace: runtime.createNamespace,
            namespace: runtime.namespace,
            config: runtime.place.namespace ?? {},
          },
        ]
      : [],

  async create({ cluster: config, runtime }, site) {
    const { cluster } = site.provided;
    if (config?.type !== "existing" || !cluster || !runtime) return undefined;
    const { createNamespaces } = await import("../createNamespaces.js");
    const { server, ...access } = config.access;
    const args = { provisioners: { [PROVISIONER]: runtime.place }, cluster, clusterServer: server };
    const namespaces = createNamespaces(site.named("namespaces"), args, site.parent);
    const spec = { type: PROVISIONER, ...runtime.place.settings, ...access, cluster: server } as const;
    const plan = kubernetesType.plan(
      planBaseOf(runtime, PROVISIONER),
      spec as Parameters<typeof kubernetesType.plan>[1],
    );
    return createOne(plan, runtime, site, { dependsOn: namespaces });
  },
});
