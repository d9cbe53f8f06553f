import { RUNTIME_PROJECT } from "../stack/names";
import type { StackState } from "../state/checkpoint";
import { withStore } from "../state/store";
import { table } from "../terminal/table";
import { ago } from "../terminal/numbers";

/** One runtime as `runtime list` shows it. */
export interface Listed {
  readonly id: string;
  /** `running`, `hibernated`, or `incomplete` when its last operation did not come to its end. */
  readonly state: string;
  readonly provisioner: string | undefined;
  readonly host: string | undefined;
  readonly cpu: number | undefined;
  readonly updated: Date | undefined;
}

function string(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Name of the provisioner that a runtime is with; a first update that failed half-way has left it in the state too. */
export function provisionerOf({ outputs, resources }: StackState): string | undefined {
  const stash = resources.find(({ type, urn }) => type === "pulumi:index:Stash" && urn.endsWith("::provisioner"));
  return string(outputs.provisioner) ?? string(stash?.outputs?.output);
}

/** What a stack's state tells about its runtime. */
export function listed(stack: StackState): Listed {
  const { name, outputs, updated } = stack;
  return {
    id: name,
    state: string(outputs.state) ?? "incomplete",
    provisioner: provisionerOf(stack),
    host: string(outputs.host),
    cpu: typeof outputs.cpu === "number" ? outputs.cpu : undefined,
    updated,
  };
}

/** All runtimes of the state backend, by id. */
export function readRuntimes(folder: string): Promise<StackState[]> {
  return withStore(folder, (store) => store.list(RUNTIME_PROJECT));
}

export function listTable(runtimes: readonly Listed[], now = new Date()): string {
  if (runtimes.length === 0) return 'no runtimes yet; "stackyard runtime up ID --version TAG" makes one';
  return table(
    [
      { title: "ID" },
      { title: "STATE" },
      { title: "PROVISIONER" },
      { title: "CPU", align: "right" },
      { title: "HOST" },
      { title: "UPDATED" },
    ],
    runtimes.map(({ id, state, provisioner, cpu, host, updated }) => [
      id,
      state,
      provisioner ?? "-",
      cpu === undefined ? "-" : String(cpu),
      host ?? "-",
      updated ? `${ago(updated, now)} ago` : "-",
    ]),
  );
}
