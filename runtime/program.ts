import * as pulumi from "@pulumi/pulumi";
import type { AdoptedDatabase } from "../components/runtime/clickhouse/adopted";
import { planClickHouse } from "../components/runtime/clickhouse/plan";
import { clusterIn } from "../components/runtime/clickhouse/cluster/present";
import { databaseIn } from "../components/runtime/clickhouse/present";
import { settleProvisioner } from "../components/runtime/choice";
import { ChoiceError } from "../components/runtime/choiceError";
import { settlePlace } from "../components/runtime/place";
import { planRuntime } from "../components/runtime/plan";
import { readPlatform } from "../components/runtime/platform/platformStack";
import { readOwnState } from "../components/resources/ownState";
import { presentOf } from "../components/runtime/present";
import { isProtected } from "../components/runtime/record/present";
import { refuseUnprotecting } from "../components/runtime/protection";
import { requestDigest } from "../components/runtime/record/requestDigest";
import { createRuntime } from "../components/runtime/runtime";
import { withServiceDefaults, type ServiceDefaults } from "../components/runtime/types/gardener/serviceDefaults";
import type { RuntimeStackOutputs } from "../components/runtime/types/runtimeType";
import { isSecretDeployment, readConfig } from "./decodeConfig";
import { Refusal, runRefusal } from "./refusal";

/** Message of the program if the stack changed after the request was prepared. The command then retries. */
const CHANGED_MEANWHILE =
  "the runtime was changed by another process after this request had been prepared; nothing was changed. Run the command again";

/** Message of the program if its stack file was written for a runtime that the stack no longer has. */
const leftFile = (stack: string): string =>
  `deployed: found ${stack}, and this stack has no runtime: its file is left from one that was destroyed, so nothing was created from it. ` +
  `To create a runtime from this file: stackyard runtime up ${stack} --from-file (by hand: pulumi config rm deployed && pulumi up)`;

/** Values that the caller passes in memory. */
export interface ProgramArgs {
  /** The adopted database, including its password. */
  readonly adoptedDatabase?: AdoptedDatabase;
  /** Defaults from the environment of the service. */
  readonly serviceDefaults?: ServiceDefaults;
}

/**
 * The program of a runtime stack: reads the stack's config and state, deploys the deployment's runtime and returns the
 * stack outputs. It is a function so that the CLI can run it inline, many times in one process: it reads only the stack
 * config and keeps no global state. Secrets that must not be written to a file are passed in memory.
 */
export async function runtimeProgram({
  adoptedDatabase,
  serviceDefaults,
}: ProgramArgs = {}): Promise<RuntimeStackOutputs> {
  const config = readConfig();
  const { platform: stack, deployment, move, base, adopt, disk, only, operation, deployed } = config;
  const { command = "pulumi up" } = config;
  /*
   * One after the other. To list keys in PostgreSQL, the engine (3.274.1, ListPaged) holds one connection and opens
   * another. On a machine with one CPU it has two: two reads at the same time would wait for each other forever.
   */
  const platform = await readPlatform(stack);
  const isDeployed = base === undefined ? undefined : () => Promise.resolve(base !== requestDigest(undefined));
  const before = await readOwnState(isDeployed);
  const present = presentOf(before);
  const own = pulumi.getStack();
  if (present === undefined && adopt === undefined && deployed === own) throw new Refusal(leftFile(own), "input");
  if (base !== undefined && base !== requestDigest(present?.latest)) throw new Refusal(CHANGED_MEANWHILE, "changed");
  try {
    refuseUnprotecting(deployment, command, present?.latest);
    const provisioner = settleProvisioner(platform, deployment, { platform: stack, present, move });
    const moving = move === provisioner;
    const served = withServiceDefaults(platform, provisioner, serviceDefaults, {
      deployment: deployment.id,
      serviceDefaults: present?.record?.serviceDefaults,
    });
    const { plan, notes } = settlePlace(planRuntime(served.platform, deployment, provisioner, disk), present, moving);
    const clickhouse = planClickHouse(
      platform,
      deployment,
      stack,
      databaseIn(before) ?? clusterIn(before),
      adoptedDatabase?.database,
    );
    for (const note of notes) await pulumi.log.warn(`${deployment.id} ${note}`);
    return await createRuntime(plan, {
      ledgerUrl: platform.ledgerUrl,
      // A host of a pool has data too, and another host of the pool does not.
      allowMove: moving && !(present !== undefined && isProtected(present)),
      present,
      state: before,
      fromService: served.fromService,
      only,
      operation,
      adopt,
      disk,
      platform: stack,
      command,
      secretDeployment: isSecretDeployment(),
      clickhouse,
      adoptedDatabase,
    });
  } catch (error) {
    throw error instanceof ChoiceError ? runRefusal(error) : error;
  }
}
