/** The function `readModuleFaults`: what of a request for modules Lifecycle Manager would not install, asked before a cluster is made. */

import { messageOf } from "../../../foundation/errors";
import { UNKNOWN_TO_USER } from "../../../foundation/text/unknown";
import { didYouMean } from "../../../foundation/text/nearest";
import { isForbidden, UnreachableError } from "../../../kubernetes/client/apiError";
import { at, listAt, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import type { FunctionHandler } from "../../framework/function";
import type { ControlPlane, KymaModule, ModulesInputs } from "./inputs";
import { KYMA, NAMESPACE } from "./objects";
import { foreign, planeClient, readPlane } from "./plane";

interface ModuleQuestion extends ControlPlane, Pick<ModulesInputs, "name" | "labels" | "channel" | "modules"> {
  /** Versions that are installed, by module. Default: none. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Default: the Shoot is not made yet, so every Kyma of this name is another one's. */
  readonly shootUid?: string;
  /** Whether the run changes nothing, so that what can't be found out is no error. */
  readonly preview: boolean;
}

export interface ModuleAnswer {
  /** Each with its path in the deployment, if it has one. */
  readonly faults: readonly string[];
  /** Why they are not known. */
  readonly trouble?: string;
}

const PATIENCE_MS = 2_000;

export const readModuleFaults: FunctionHandler<ModuleQuestion, ModuleAnswer> = async ({ signal }, asked) => {
  const client = planeClient({ signal }, asked, asked.preview ? PATIENCE_MS : undefined);
  try {
    if ((await client.discovery.version("operator.kyma-project.io", KYMA.kind)) === undefined) {
      return { faults: [`found no kind Kyma in ${asked.controlPlane}; expected a cluster with Lifecycle Manager`] };
    }
    const theirs = (kind: string) => client.list({ ...KYMA, kind, namespace: NAMESPACE });
    const [metas, templates, plane] = await Promise.all([
      theirs("ModuleReleaseMeta"),
      theirs("ModuleTemplate"),
      readPlane(client, asked),
    ]);
    const taken = foreign(plane.kyma, asked.shootUid) ?? foreign(plane.secret, asked.shootUid);
    const own =
      taken === undefined ? [] : [`found that ${taken}; expected none of this name, as nothing is taken over`];
    return { faults: [...own, ...catalogFaults(asked, metas, templates)] };
  } catch (error) {
    signal.throwIfAborted();
    if (!asked.preview || !(error instanceof UnreachableError || isForbidden(error))) throw error;
    const trouble = isForbidden(error)
      ? `${UNKNOWN_TO_USER} not list modules in ${asked.controlPlane}`
      : messageOf(error);
    return { faults: [], trouble };
  }
};

/** Modules without a release or a template, and those that this Kyma may not have. Pure. */
export function catalogFaults(
  { modules, channel, labels = {}, versions = {} }: Pick<ModuleQuestion, "modules" | "channel" | "labels" | "versions">,
  metas: readonly KubeObject[],
  templates: readonly KubeObject[],
): string[] {
  return modules.flatMap((module, index) => {
    const path = `kyma.modules[${index}]`;
    const meta = metas.find(({ metadata }) => metadata.name === module.name);
    const choosable = metas.filter((one) => at(one, "spec", "mandatory") === undefined);
    if (meta === undefined) {
      const names = choosable.map(({ metadata }) => metadata.name).sort();
      return [fault(`${path}.name`, module.name, "a module of Lifecycle Manager", names)];
    }
    if (!choosable.includes(meta)) {
      return [`${path}.name: found ${module.name}; expected none that is mandatory: each cluster has it`];
    }
    return versionFaults({ path, module, channel, labels, had: versions[module.name] }, meta, templates);
  });
}

interface Asked {
  readonly path: string;
  readonly module: KymaModule;
  readonly channel: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Version that is installed. */
  readonly had: string | undefined;
}

function versionFaults(
  { path, module, channel, labels, had }: Asked,
  meta: KubeObject,
  templates: readonly KubeObject[],
) {
  const wanted = module.channel ?? channel;
  const channels = listAt(meta, "spec", "channels");
  const version = textAt(
    channels.find((one) => one["channel"] === wanted),
    "version",
  );
  if (version === undefined) {
    const known = channels.flatMap((one) => textAt(one, "channel") ?? []).sort();
    const where = module.channel === undefined ? "kyma.channel" : `${path}.channel`;
    return [fault(where, wanted, `a channel of module ${module.name}`, known)];
  }
  const where = module.channel === undefined ? "kyma.channel" : `${path}.channel`;
  if (had !== undefined && isOlder(version, had)) {
    const rule = `a channel with ${had} or newer for module ${module.name}, because Lifecycle Manager installs no older version`;
    return [`${where}: found "${wanted}", which has ${version}; expected ${rule}`];
  }
  const name = `${module.name}-${version}`;
  const template = templates.find(({ metadata }) => metadata.name === name);
  if (template === undefined) {
    return [`${path}.name: found no ModuleTemplate ${NAMESPACE}/${name} for channel ${wanted}; expected one`];
  }
  const isOn = (set: Readonly<Record<string, string>>, label: string) => set[label]?.toLowerCase() === "true";
  const lacking = RESTRICTED.find((label) => isOn(template.metadata.labels ?? {}, label) && !isOn(labels, label));
  if (lacking === undefined) return [];
  return [
    `${path}.name: found ${module.name}, which needs the label ${lacking}; expected "true" for it in kyma.labels of the provisioner`,
  ];
}

/** Compares the numbers of two versions, as Lifecycle Manager does. */
function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((one) => (/^\d+\.\d+\.\d+/.exec(one)?.[0] ?? "0").split(".").map(Number));
  const at = a?.findIndex((part, index) => part !== b?.[index]) ?? -1;
  return at >= 0 && (a?.[at] ?? 0) < (b?.[at] ?? 0);
}

/** Lifecycle Manager installs modules with these labels only for a Kyma with the same label. */
const RESTRICTED = ["operator.kyma-project.io/internal", "operator.kyma-project.io/beta"] as const;

function fault(path: string, found: string, expected: string, known: readonly string[]): string {
  const hint = didYouMean(found, known);
  return `${path}: found "${found}"; expected ${expected}: ${known.join(", ") || "there is none"}${hint === undefined ? "" : `; ${hint}?`}`;
}
