/** Makes a component of the package, with the decoder and the code that make it in a platform. */

import * as pulumi from "@pulumi/pulumi";
import { decodeConfig } from "../../components/platform/config/decodeConfig";
import type { PlatformConfig } from "../../components/platform/config/platformConfig";
import { rawConfig } from "../../components/platform/config/raw";
import { createFeatures } from "../../components/platform/create";
import { balancerOwners } from "../../components/platform/facts";
import { createGuards } from "../../components/platform/guards";
import { refuseGone } from "../../components/platform/checks/otherReleases";
import { lookFor } from "../../components/platform/look";
import { readOwnState, type StateResources } from "../../components/resources/ownState";
import type { ConstructResult } from "../../foundation/pulumi/protocol/construct";
import { valueAt } from "../../foundation/schema/describe";
import { ConfigError, renderPath, type Fault, type Path } from "../../foundation/schema/faults";
import { projectFiles } from "../../foundation/schema/files";
import { unknownKey } from "../../foundation/schema/issues";
import { Arguments } from "./arguments";
import { argumentAt, argumentsOf, configFor, inArguments, pathOf, PUBLISHED, type Published } from "./published";

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
  try {
    return await create(one, name, type, inputs, options);
  } catch (error) {
    throw pulumi.RunError.isInstance(error) ? new pulumi.RunError(inArguments(one, name, error.message)) : error;
  }
}

async function create(
  one: Published,
  name: string,
  type: string,
  inputs: pulumi.Inputs,
  options: pulumi.ComponentResourceOptions,
): Promise<ConstructResult> {
  const { features } = one;
  const given = await Arguments.of(inputs);
  const decoded = decode(one, name, given);
  const state = readOwnState().then((all) => ownPart(all, type, name));
  // A cluster that is made by the same update can't be asked before.
  const access = decoded.cluster?.type === "existing" ? decoded.cluster.access : undefined;
  const isLater = given.isUnknown(access?.server ?? "");
  const found = await lookFor(features, decoded, state, isLater ? undefined : decoded.cluster);
  refuseGone(found);
  const { config, charts, offered } = found;
  const after = [options.dependsOn ?? []].flat() as pulumi.Resource[];
  const complete = given.completing(config.secrets);
  const transformations = [given.transformation(complete, after)];
  const parent = new Component(type, name, inputs, pulumi.mergeOptions(options, { transformations }));
  const named = (role: string): string => `${name}-${role}`;
  const made = isLater ? pulumi.output(inputs["cluster"]) : undefined;
  const place = { named, parent, offered, made };
  const { provides, outputs, ...created } = await createFeatures(features, config, charts, state, place);
  const { cluster } = provides;
  if (created.stateful.length > 0 || cluster?.made)
    createGuards({ cluster, ...created, balancers: balancerOwners(config, features) }, place);
  const published = Object.entries(one.component.outputs).map(([key, { at, secret }]) => {
    const output: unknown = outputAt(outputs, pathOf(at, name));
    return [key, secret === true ? pulumi.secret(output) : output];
  });
  return parent.complete(complete(Object.fromEntries(published) as pulumi.Inputs));
}

/**
 * The part of the stack's state that belongs to a component: what is below one of its type, and has a name that begins
 * with its own, but not with the longer one of another component.
 */
function ownPart(all: StateResources, type: string, name: string): StateResources {
  const parts = Object.keys(all).flatMap((urn) => {
    const [, , types = "", own = ""] = urn.split("::");
    const chain = types.split("$");
    const depth = chain.indexOf(type);
    return depth >= 0 && own.startsWith(`${name}-`) ? [{ urn, own, isOther: depth === chain.length - 1 }] : [];
  });
  const others = parts.filter(({ isOther }) => isOther);
  const isOwn = (one: string): boolean => !others.some(({ own }) => one === own || one.startsWith(`${own}-`));
  return Object.fromEntries(parts.flatMap(({ urn, own }) => (isOwn(own) ? [[urn, all[urn]!]] : [])));
}

/** A stack output, or a part of one. */
function outputAt(value: unknown, [step, ...more]: Path): unknown {
  if (step === undefined) return value;
  return pulumi.Output.isInstance(value)
    ? value.apply((known) => valueAt(known, [step, ...more]))
    : outputAt(valueAt(value, [step]), more);
}

function decode(one: Published, name: string, given: Arguments): PlatformConfig {
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
  const known = argumentsOf(one);
  const unknown = Object.keys(given.values).filter((key) => !known.includes(key));
  const faults: Fault[] = unknown.map((key) => unknownKey([key], known));
  try {
    const config = decodeConfig(raw, projectFiles(process.cwd()), one.features);
    for (const warning of config.warnings) void pulumi.log.warn(inArguments(one, name, warning));
    if (faults.length === 0) return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.unshift(...error.faults.map(({ path, message }) => ({ path: argumentAt(one, name, path), message })));
  }
  const errors = faults.map(({ path, message }) => ({
    propertyPath: renderPath(path),
    reason: given.readable(message),
    // The engine prints the value at the path of an error, and crashes at one that is not known.
    isPrintable: !given.isUnknown(JSON.stringify(valueAt(given.values, path) ?? "")),
  }));
  const count = errors.length === 1 ? "1 fault" : `${errors.length} faults`;
  const others = errors.flatMap(({ propertyPath, reason, isPrintable }) =>
    isPrintable ? [] : `\n  - ${propertyPath}: ${reason}`,
  );
  throw new pulumi.InputPropertiesError({
    message: `${name} has ${count}; nothing was created${others.join("")}`,
    errors: errors.flatMap(({ propertyPath, reason, isPrintable }) => (isPrintable ? { propertyPath, reason } : [])),
  });
}
