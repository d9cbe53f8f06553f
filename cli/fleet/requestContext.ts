import type { Workspace } from "../../foundation/pulumi/backend";
import { isObject } from "../../foundation/json/isObject";
import { provisionerOf } from "../../engine/runtime/list";
import { isWrittenFor, readRuntimeConfig } from "../../engine/runtime/project";
import type { Request } from "../../engine/runtime/request/request";
import { StackFile } from "../../engine/stack/file";
import { RUNTIME_PROJECT } from "../../engine/stack/names";
import { withStore } from "../../engine/pulumi/state/store";
import { platformOf, type KnownRuntime, type RequestContext } from "./checkRequests";
import { readPlatforms } from "./platforms";

/** Reads what requests are checked against: their runtimes and platforms, in one connection to the state. */
export function readRequestContext(
  requests: readonly Request[],
  workspace: Workspace,
  defaultPlatform: string,
): Promise<RequestContext> {
  return withStore(workspace, async (store) => {
    const runtimes = new Map<string, KnownRuntime>();
    for (const { id } of requests) {
      const state = await store.find(RUNTIME_PROJECT, id);
      const stackFile = await StackFile.read(workspace.folder, id);
      const file = readRuntimeConfig(stackFile);
      runtimes.set(id, {
        exists: (state?.resources.length ?? 0) > 0 || (hasVersion(file.deployment) && !isWrittenFor(stackFile, id)),
        platform: typeof file.platform === "string" ? file.platform : undefined,
        provisioner: state && provisionerOf(state),
      });
    }
    const known = { runtimes, defaultPlatform };
    const platforms = await readPlatforms(
      store,
      requests.map((request) => platformOf(request, known)),
    );
    return { ...known, platforms };
  });
}

function hasVersion(deployment: unknown): boolean {
  return isObject(deployment) && "version" in deployment;
}
