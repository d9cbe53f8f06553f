import * as pulumi from "@pulumi/pulumi";
import type { AdoptedDatabase } from "../components/clickhouse/adopted";
import { planClickHouse } from "../components/clickhouse/plan";
import { clusterIn } from "../components/clickhouse/cluster/present";
import { databaseIn } from "../components/clickhouse/present";
import { settleProvisioner } from "../components/runtime/choice";
import { ChoiceError } from "../components/runtime/choiceError";
import { settlePlace } from "../components/runtime/place";
import { planRuntime } from "../components/runtime/plan";
import { readPlatform } from "../components/runtime/platform/platformStack";
import { readOwnState } from "../components/resources/ownState";
import { presentOf } from "../components/runtime/present";
import { requestDigest } from "../components/runtime/request/requestDigest";
import { createRuntime } from "../components/runtime/runtime";
import { withServiceDefaults, type ServiceDefaults } from "../components/runtime/types/gardener/serviceDefaults";
import type { RuntimeStackOutputs } from "../components/runtime/types/runtimeType";
import { isSecretDeployment, readConfig } from "./decodeConfig";
import { CHANGED_MEANWHILE } from "./changedMeanwhile";
import { Refusal, refusalOf } from "./refusal";

/** What is handed over in memory. */
export interface HandedOver {
  /** What adopting found of a database, its password too. */
  readonly adoptedDatabase?: AdoptedDatabase;
  /** What the environment of the service says. */
  readonly serviceDefaults?: ServiceDefaults;
}

/**
 * The program of a runtime stack: reads the stack's config and its state, deploys the deployment's runtime, answers the
 * stack's outputs. A Pulumi program as a function, so that the CLI can run it inline; it takes everything from the
 * stack's config and leaves nothing behind in the process, so it may run many times. What has secrets that no file is to
 * have is handed over in memory.
 */
export async function runtimeProgram({
  adoptedDatabase,
  serviceDefaults,
}: HandedOver = {}): Promise<RuntimeStackOutputs> {
  const { platform: stack, deployment, move, base, adopt, only, operation, command = "pulumi up" } = readConfig();
  const [platform, before] = await Promise.all([readPlatform(stack), readOwnState()]);
  const present = presentOf(before);
  if (base !== undefined && base !== requestDigest(present?.latest)) throw new Refusal(CHANGED_MEANWHILE, "changed");
  try {
    const provisioner = settleProvisioner(platform, deployment, { platform: stack, present, move });
    const moving = move === provisioner;
    const served = withServiceDefaults(platform, provisioner, serviceDefaults, {
      deployment: deployment.id,
      serviceDefaults: present?.record?.serviceDefaults,
    });
    const { plan, notes } = settlePlace(planRuntime(served.platform, deployment, provisioner), present, moving);
    const clickhouse = planClickHouse(platform, deployment, stack, databaseIn(before) ?? clusterIn(before));
    for (const note of notes) await pulumi.log.warn(`${deployment.id} ${note}`);
    return await createRuntime(plan, {
      ledgerUrl: platform.ledgerUrl,
      allowMove: moving,
      present,
      state: before,
      fromService: served.fromService,
      only,
      operation,
      adopt,
      platform: stack,
      command,
      secretDeployment: isSecretDeployment(),
      clickhouse,
      adoptedDatabase,
    });
  } catch (error) {
    throw error instanceof ChoiceError ? refusalOf(error) : error;
  }
}
