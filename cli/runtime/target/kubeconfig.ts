import { Failure, messageOf } from "../../../foundation/errors";
import type { Workspaces } from "../../../foundation/pulumi/backend";
import { issueKubeconfig } from "../../../kubernetes/connect/shootLease";
import { connect } from "../../../kubernetes/connect/connect";
import { textAt } from "../../../kubernetes/objects/objects";
import { isShoot } from "../../../engine/stack/cluster";
import { readPlatform } from "../../../engine/stack/platformOutputs";
import { readFleet, type Runtime } from "../../fleet/read";
import type { Platform } from "../../../components/runtime/platform/platform";
import type { KubeconfigOptions } from "../options";

const PATIENCE_MS = 20_000;

/** Issues a short-lived kubeconfig for the cluster of a runtime, through Gardener. */
export async function issueFor(id: string, { platforms, runtimes }: Workspaces, options: KubeconfigOptions) {
  const [found] = await readFleet(runtimes, [id]);
  if (!found) throw new Failure(`there is no runtime ${id}; "stackyard runtime list" shows those there are`);
  const { platform } = found.summary;
  if (platform === undefined) throw new Failure(`the state of ${id} does not say its platform`);
  const { kubeconfig, expires } = await issuedFor(found, await readPlatform(platforms, platform), options);
  return { kubeconfig, expires: new Date(expires) };
}

/** Requests it from the garden of the runtime's provisioner. */
export async function issuedFor(
  { stack, summary: { id, provisioner = "" } }: Runtime,
  { provisioners }: Pick<Platform, "provisioners">,
  { role, expires }: KubeconfigOptions,
) {
  const shoot = stack.resources.find((resource) => isShoot(resource) && resource.delete !== true);
  const [namespace, name] = ["namespace", "name"].map((key) => textAt(shoot?.inputs, "shoot", "metadata", key));
  const spec = provisioners[provisioner];
  if (namespace === undefined || name === undefined || spec?.type !== "gardener") {
    throw new Failure(
      `${id}: found no cluster of a provisioner of type gardener; expected one, since others have no cluster of their own`,
    );
  }
  const garden = connect(spec.kubeconfig, spec.context, { patienceMs: PATIENCE_MS });
  const wanted = { garden: "", namespace, shoot: name, role, expirationSeconds: expires };
  return issueKubeconfig(garden, wanted).catch((error: unknown) => {
    throw new Failure(`Gardener issues no kubeconfig for Shoot ${namespace}/${name}: ${messageOf(error)}`);
  });
}
