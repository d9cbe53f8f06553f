/** Makes a component of the package, with the decoder and the code that make it in a platform. */

import * as pulumi from "@pulumi/pulumi";
import type { Feature } from "../../components/feature";
import { eks } from "../../components/eks/feature";
import { decodeConfig } from "../../components/platform/config/decodeConfig";
import type { PlatformConfig } from "../../components/platform/config/platformConfig";
import { rawConfig } from "../../components/platform/config/raw";
import { createFeatures } from "../../components/platform/create";
import { createDataGuard } from "../../components/platform/guards";
import { refuseGone } from "../../components/platform/checks/otherReleases";
import { lookFor } from "../../components/platform/look";
import { readOwnState } from "../../components/resources/ownState";
import type { ConstructResult } from "../../foundation/pulumi/protocol/construct";
import { valueAt } from "../../foundation/schema/describe";
import { ConfigError, renderPath } from "../../foundation/schema/faults";
import { projectFiles } from "../../foundation/schema/files";
import { Arguments } from "./arguments";
import { argumentAt, configFor, pathOf, PUBLISHED, type Published } from "./published";

/** What a program sees of the component. */
class Component extends pulumi.ComponentResource {
  complete(outputs: pulumi.Inputs): ConstructResult {
    this.registerOutputs(outputs);
    return { urn: this.urn, state: outputs };
  }
}

/** Throws an InputPropertiesError with every fault before anything is registered. */
export async function construct(
  name: string,
  type: string,
  inputs: pulumi.Inputs,
  options: pulumi.ComponentResourceOptions,
): Promise<ConstructResult> {
  const one = PUBLISHED.get(type);
  if (one === undefined)
    throw new Error(`the package stackyard has no component "${type}"; it has: ${[...PUBLISHED.keys()].join(", ")}`);
  const features: readonly Feature[] = [eks, one.feature];
  const given = await Arguments.of(inputs);
  const decoded = decode(one, name, given, features);
  const state = readOwnState();
  // A cluster that is made by the same update can't be asked before.
  const access = decoded.cluster?.type === "existing" ? decoded.cluster.access : undefined;
  const asked = given.isUnknown(access?.server ?? "") ? undefined : decoded.cluster;
  const found = await lookFor(features, decoded, state, asked);
  refuseGone(found);
  const { config, charts, offered } = found;
  const after = [options.dependsOn ?? []].flat() as pulumi.Resource[];
  const transformations = [given.transformation(config.secrets, after)];
  const parent = new Component(type, name, inputs, pulumi.mergeOptions(options, { transformations }));
  const named = (role: string): string => `${name}-${role}`;
  const place = { named, parent, offered };
  const { provides, outputs, ...created } = await createFeatures(features, config, charts, state, place);
  if (created.stateful.length > 0) {
    createDataGuard(named("data-guard"), { cluster: provides.cluster, ...created }, { parent });
  }
  const published = Object.entries(one.component.outputs).map(([key, { at, secret }]) => {
    const output: unknown = valueAt(outputs, pathOf(at, name));
    return [key, secret === true ? pulumi.secret(output) : output];
  });
  return parent.complete(Object.fromEntries(published) as pulumi.Inputs);
}

function decode(one: Published, name: string, given: Arguments, features: readonly Feature[]): PlatformConfig {
  const stack = pulumi.getStack();
  // Mirrors of charts and images are the same for all components of a stack.
  const { charts, images } = rawConfig(pulumi.runtime.allConfig(), stack, () => false).values;
  const values = {
    ...configFor(one, name, given.values),
    ...(charts !== undefined && { charts }),
    ...(images !== undefined && { images }),
  };
  const areSecret = [...given.secretKeys].some((key) => key !== "cluster");
  const secretKeys = new Set(areSecret ? Object.keys(values) : given.secretKeys);
  const raw = { values, secretKeys, stack, isPartial: true, isInMemory: true };
  try {
    const config = decodeConfig(raw, projectFiles(process.cwd()), features);
    for (const warning of config.warnings) void pulumi.log.warn(warning);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const errors = error.faults.map(({ path, message }) => ({
      propertyPath: renderPath(argumentAt(one, name, path)),
      reason: given.readable(message),
    }));
    const count = errors.length === 1 ? "1 fault" : `${errors.length} faults`;
    throw new pulumi.InputPropertiesError({ message: `${name} has ${count}; nothing was created`, errors });
  }
}
