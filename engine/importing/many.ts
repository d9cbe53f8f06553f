import { messageOf } from "../../foundation/errors";
import type { Workspace } from "../../foundation/pulumi/backend";
import { forAll } from "../../kubernetes/client/pool";
import { KnownOwners } from "../orphans/known";
import type { StackState } from "../pulumi/state/checkpoint";
import { withStore } from "../pulumi/state/store";
import { isEmptyState } from "../runtime/request/recorded";
import { deploymentId, RUNTIME_PROJECT } from "../stack/names";
import { mustBeNew } from "./import";
import type { OriginalRuntime } from "./provisioner";
import { findShoot, type FoundShoot, type NamedGarden } from "./shoot";

/** What an import does with a runtime of the original. */
export type ImportStep = { readonly runtime: OriginalRuntime } & (
  | { readonly step: "import"; readonly found: FoundShoot }
  /** An earlier import has made its stack. */
  | { readonly step: "present" }
  | { readonly step: "refused"; readonly reason: string }
);

const AT_ONCE = 8;

/** Looks at the Shoot of each runtime, in the project of one of these provisioners. Changes nothing. */
export async function planImports(
  runtimes: readonly OriginalRuntime[],
  gardens: readonly NamedGarden[],
  workspace: Workspace,
): Promise<readonly ImportStep[]> {
  const states = await withStore(workspace, (store) => store.list(RUNTIME_PROJECT));
  return forAll(
    runtimes,
    async (runtime) => {
      try {
        return await stepOf(runtime, gardens, states);
      } catch (error) {
        return { runtime, step: "refused", reason: messageOf(error) };
      }
    },
    AT_ONCE,
  );
}

async function stepOf(
  runtime: OriginalRuntime,
  gardens: readonly NamedGarden[],
  states: readonly StackState[],
): Promise<ImportStep> {
  const { project, shoot, operations } = runtime;
  const refused = (reason: string): ImportStep => ({ runtime, step: "refused", reason });
  const id = deploymentId(runtime.id);
  const namespace = `garden-${project}`;
  const own = states.find(({ name }) => name === id);
  if (own !== undefined && !isEmptyState(own)) {
    const hasIt = new KnownOwners([own]).hasShoot({ namespace, name: shoot, uid: undefined, owner: undefined });
    return hasIt ? { runtime, step: "present" } : refused(`${id} has a runtime with another cluster already`);
  }
  const running = operations.find(({ state }) => state === "IN_PROGRESS");
  if (running) return refused(`operation ${running.id} (${running.type}) is in progress; wait for its end`);
  const [garden, ...others] = gardens.filter(({ spec }) => spec.namespace === namespace);
  if (garden === undefined) return refused(`no provisioner of the platform has the Gardener project ${project}`);
  if (others.length > 0) {
    const names = [garden, ...others].map(({ name }) => name).join(", ");
    return refused(
      `several provisioners have the Gardener project ${project}: ${names}; choose one with --provisioner`,
    );
  }
  const found = await findShoot(id, shoot, garden);
  mustBeNew(id, { namespace, name: shoot, uid: found.uid }, states);
  return { runtime, step: "import", found };
}
