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
import type { RuntimeStackOutputs } from "../components/runtime/types/runtimeType";
import { isSecretDeployment, readConfig } from "./decodeConfig";
import { CHANGED_MEANWHILE } from "./changedMeanwhile";

/**
 * The program of a runtime stack: reads the stack's config and its state, deploys the deployment's runtime, answers the
 * stack's outputs. A Pulumi program as a function, so that the CLI can run it inline; it takes everything from the
 * stack's config and leaves nothing behind in the process, so it may run many times. What adopting found of a database, and its
 * password with that, is handed over in memory only.
 */
export async function runtimeProgram(adoptedDatabase?: AdoptedDatabase): Promise<RuntimeStackOutputs> {
  const { platform: stack, deployment, move, base, adopt, only, operation, command = "pulumi up" } = readConfig();
  const [platform, before] = await Promise.all([readPlatform(stack), readOwnState()]);
  const present = presentOf(before);
  if (base !== undefined && base !== requestDigest(present?.latest)) throw new pulumi.RunError(CHANGED_MEANWHILE);
  try {
    const provisioner = settleProvisioner(platform, deployment, { platform: stack, present, move });
    const moving = move === provisioner;
    const { plan, notes } = settlePlace(planRuntime(platform, deployment, provisioner), present, moving);
    const clickhouse = planClickHouse(platform, deployment, stack, databaseIn(before) ?? clusterIn(before));
    for (const note of notes) await pulumi.log.warn(`${deployment.id} ${note}`);
    return await createRuntime(plan, {
      ledgerUrl: platform.ledgerUrl,
      allowMove: moving,
      present,
      state: before,
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
    throw error instanceof ChoiceError ? new pulumi.RunError(error.message) : error;
  }
}
