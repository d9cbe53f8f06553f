import { isDeepStrictEqual } from "node:util";
import { PLATFORM_PROJECT, RUNTIME_PROJECT } from "../../../engine/stack/names";
import type { DescribedStack } from "../../project/stacks";
import type { Affected } from "./affected";
import { namedBy } from "./named";
import { isObject } from "../../../foundation/json/isObject";

type Config = DescribedStack["config"];

/**
 * Returns the runtime stacks whose provisioner is changed by a platform's config or templates, or that would get
 * another provisioner. `before`: earlier configs of platforms, by stack id. Pure.
 */
export function provisionedBy(
  files: readonly string[],
  stacks: readonly DescribedStack[],
  before: ReadonlyMap<string, Config>,
): Affected[] {
  return stacks.flatMap((stack) => {
    if (stack.project !== RUNTIME_PROJECT) return [];
    const platform = platformOf(stack, stacks);
    if (platform === undefined) return [];
    const was = before.get(platform.id) ?? platform.config;
    const [name, nameBefore] = [chosenBy(stack, platform.config), chosenBy(stack, was)];
    const provisioner = entryOf(platform.config, "provisioners", name);
    const isSame = name === nameBefore && isDeepStrictEqual(provisioner, entryOf(was, "provisioners", nameBefore));
    const isSameSlot = isDeepStrictEqual(platform.config["slot"], was["slot"]);
    const templates = files.filter(namedBy(platform, provisioner));
    const by = [...(isSame && isSameSlot ? [] : [platform.file]), ...templates];
    return by.length === 0 ? [] : [{ stack, files: by }];
  });
}

/** `organization/stackyard/dev`, or `dev`. */
function platformOf({ config }: DescribedStack, stacks: readonly DescribedStack[]): DescribedStack | undefined {
  const name = textOf(config["platform"]).split("/").at(-1);
  return stacks.find((each) => each.project === PLATFORM_PROJECT && each.name === name);
}

/** Returns the deployment's provisioner, else its environment's, else the default one. */
function chosenBy({ config }: DescribedStack, platform: Config): string {
  const deployment = isObject(config["deployment"]) ? config["deployment"] : {};
  const environment = entryOf(platform, "environments", textOf(deployment["environment"]));
  const byEnvironment = isObject(environment) ? environment["provisioner"] : undefined;
  return textOf(deployment["provisioner"] ?? byEnvironment ?? platform["defaultProvisioner"]);
}

/** An encrypted set can't be read, so all of it counts as the entry. */
function entryOf(config: Config, key: string, name: string): unknown {
  const set = config[key];
  if (!isObject(set) || Object.hasOwn(set, "secure")) return set;
  return Object.hasOwn(set, name) ? set[name] : undefined;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
