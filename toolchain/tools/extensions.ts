import { toolsFolder } from "../bootstrap/paths";
import { complete, toolFolder } from "./folder";
import type { Tool } from "./table";

/** The releases of Gardener's extensions whose validators are tested, by cloud. */
export const EXTENSIONS = { aws: "1.73.0", azure: "1.62.1", gcp: "1.54.1", openstack: "1.57.0" } as const;

export type ExtendedCloud = keyof typeof EXTENSIONS;

const clouds = Object.keys(EXTENSIONS) as ExtendedCloud[];

/** The validators of an extension. `make garden` builds them in the extension's own repository, with its own modules. */
export function extensionOf(cloud: ExtendedCloud): Tool {
  const program = `gardener-extension-admission-${cloud}`;
  const module = `gardener-extension-provider-${cloud}`;
  const version = EXTENSIONS[cloud];
  return {
    name: program,
    title: `The validators of Gardener's extension for ${cloud}`,
    version,
    programs: [program],
    present: {},
    archives: () => [],
    builds: [
      {
        module,
        checkout: { repository: `gardener/${module}`, tag: `v${version}` },
        ...{ package: `./cmd/${program}`, output: program, variables: {} },
      },
    ],
    buildMinutes: 10,
  };
}

/** The clouds in `EXTENSIONS`, such as `aws,gcp` or `none`; all by default. */
export function askedExtensions(asked = process.env["EXTENSIONS"]): readonly ExtendedCloud[] {
  if (asked === undefined || asked === "") return clouds;
  const names = asked === "none" ? [] : asked.split(",");
  const unknown = names.find((name) => !clouds.some((cloud) => cloud === name));
  if (unknown === undefined) return clouds.filter((cloud) => names.includes(cloud));
  throw new Error(`EXTENSIONS: found ${unknown}; expected some of ${clouds.join(",")}, or none`);
}

/** Those that `make garden` has built before. */
export const builtExtensions = (root: string): readonly ExtendedCloud[] =>
  askedExtensions().filter((cloud) => {
    const tool = extensionOf(cloud);
    return complete(toolFolder(toolsFolder(), tool, root), tool);
  });
