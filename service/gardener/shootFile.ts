import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dump } from "js-yaml";
import { wantedProvisioner } from "../../components/runtime/choice";
import { planRuntime } from "../../components/runtime/plan";
import type { Platform } from "../../components/runtime/platform/platform";
import { decodeRuntimeConfig } from "../../components/runtime/deployment";
import { shootOfPlan } from "../../components/runtime/types/gardener/create";
import { withServiceDefaults, type ServiceDefaults } from "../../components/runtime/types/gardener/serviceDefaults";
import { messageOf } from "../../foundation/errors";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { operationAnnotations } from "../../kubernetes/gardener/shoot";
import { forVersion } from "../../kubernetes/gardener/versionFields";
import type { DeploymentRow, OperationRow } from "../database/tables";
import type { Stage } from "../operations/run/stage";

export interface ShootFileOptions {
  readonly folder: string;
  readonly platform: (name: string) => Promise<Platform>;
  readonly serviceDefaults?: ServiceDefaults;
}

/** Writes the Shoot of a new runtime to a file. Returns the path. */
export type WriteShoot = (
  deployment: Pick<DeploymentRow, "id" | "desiredConfig" | "provisioner">,
  operation: Pick<OperationRow, "id">,
) => Promise<string>;

/** File names and content match those of the Kyma Runtime Provisioner, so that existing comparisons of Shoots work. */
export function shootFiles({ folder, platform, serviceDefaults }: ShootFileOptions): WriteShoot {
  return async ({ id, desiredConfig, provisioner: present }, operation) => {
    const { platform: stack, deployment } = decodeRuntimeConfig({ ...desiredConfig }, id);
    const read = await platform(stack);
    const provisioner = present ?? wantedProvisioner(read, deployment).provisioner;
    const served = withServiceDefaults(read, provisioner, serviceDefaults ?? {}, { deployment: id });
    const plan = planRuntime(served.platform, deployment, provisioner);
    if (plan.type !== "gardener") throw new Error(`provisioner "${provisioner}" is of type ${plan.type}`);
    const shoot = annotated(forVersion(shootOfPlan(plan) as KubeObject).shoot, operation.id);
    const path = join(folder, `${plan.spec.namespace}-${plan.shootName}-shootCR.yaml`);
    await mkdir(folder, { recursive: true });
    await writeFile(path, dump(shoot, { lineWidth: -1, noRefs: true }), { mode: 0o600 });
    return path;
  };
}

/** Wraps a stage so that it writes the Shoot first. A failure to write never fails the operation. */
export const writingShoot = (stage: Stage, write: WriteShoot): Stage => ({
  ...stage,
  async run(context) {
    const text = await write(context.deployment, context.operation).then(
      (path) => `Shoot written to ${path}`,
      (error: unknown) => `Shoot not written to a file: ${messageOf(error)}`,
    );
    context.report([{ kind: "note", text }]);
    return stage.run(context);
  },
});

const annotated = (shoot: KubeObject, operation: string): KubeObject => ({
  ...shoot,
  metadata: { ...shoot.metadata, annotations: { ...shoot.metadata.annotations, ...operationAnnotations(operation) } },
});
