import type { PulumiFn } from "@pulumi/pulumi/automation";
import { distinctMessages, isLostProvider, isStackRemoved } from "../pulumi/diagnostics";
import type { Workspace } from "../../foundation/pulumi/backend";
import { failureKind, type FailureKind } from "../../foundation/errors";
import { throwIfInterrupted } from "../process/interrupt";
import { STACK_TYPE, type EngineEvent } from "../pulumi/events";
import { EarlyListener } from "./listener";
import type { Finished } from "../pulumi/pulumi";
import { kubernetesProvider, runEngine } from "./warm";

export type Verb = "up" | "preview" | "destroy";

interface Operation {
  readonly verb: Verb;
  readonly stack: string;
  readonly workspace: Workspace;
  /** Loads the program. Called immediately, so that loading overlaps with the engine's start. */
  readonly program: () => Promise<PulumiFn>;
  /** Additional flags for the CLI. */
  readonly flags?: readonly string[];
  /** Whether the program probably needs the Kubernetes provider. A wrong guess only costs time. */
  readonly kubernetes: boolean;
  readonly onEvent?: (event: EngineEvent) => void;
}

export interface OperationOutcome {
  readonly ok: boolean;
  /** Outputs of the stack, with masked secrets. Empty if the operation failed before it had outputs. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Number of resources by kind of change: create, update, same, … */
  readonly changes: Readonly<Record<string, number>>;
  /** Error messages for users. Never empty if the operation failed. */
  readonly errors: readonly string[];
  /** Kind of the errors; undefined if unknown. */
  readonly kind?: FailureKind;
  readonly warnings: readonly string[];
  /** Standard error of the CLI, such as an error about a lock. */
  readonly stderr: string;
}

/** The command shows progress and outputs itself, and the providers are already installed. */
const QUIET = ["--suppress-outputs", "--suppress-progress", "--skip-plugin-pre-install"];

const FLAGS: Readonly<Record<Verb, readonly string[]>> = {
  up: ["--yes", "--skip-preview", ...QUIET],
  preview: QUIET,
  destroy: ["--yes", "--skip-preview", ...QUIET],
};

/**
 * Runs one operation of the engine, with the program in this process and one run of the CLI. Only one operation at a
 * time per process: the SDK keeps the program's settings in globals.
 */
export async function runOperation(operation: Operation): Promise<OperationOutcome> {
  throwIfInterrupted();
  const listener = await EarlyListener.start();
  const address = `127.0.0.1:${listener.port}`;
  const kubernetes = operation.kubernetes ? await kubernetesProvider() : undefined;
  const attached = [`stackyard:${listener.port}`, ...(kubernetes ? [`kubernetes:${kubernetes.port}`] : [])];
  const command = runEngine(
    [
      operation.verb,
      "--stack",
      operation.stack,
      ...FLAGS[operation.verb],
      // Needed for deletions too: a language host that the engine starts would outlive a killed engine.
      `--client=${address}`,
      "--exec-kind",
      "auto.inline",
      "--event-log",
      `tcp://${address}`,
      ...(operation.flags ?? []),
    ],
    operation.workspace,
    { PULUMI_DEBUG_PROVIDERS: attached.join(",") },
  );
  const record = new Recorder((event) => {
    // An engine reports nothing before it has locked its stack.
    command.locked();
    operation.onEvent?.(event);
  });
  let server: { close(): void } | undefined;
  try {
    const { engineServer } = await import("./server.js");
    const program = await operation.program();
    const serving = engineServer(operation.workspace, record.watched(program), (event) => record.event(event));
    server = serving;
    listener.serve((socket) => serving.connect(socket));
    return record.outcome(await command.finished);
  } finally {
    listener.close();
    server?.close();
    kubernetes?.close();
    // If the program failed to load, the engine can't connect to it and exits.
    await command.finished.catch(() => undefined);
  }
}

/** Collects the outcome from the events. */
class Recorder {
  private outputs: Readonly<Record<string, unknown>> = {};
  private changes: Readonly<Record<string, number>> = {};
  private readonly errors: string[] = [];
  private readonly warnings: string[] = [];
  private readonly thrown: string[] = [];
  private kind: FailureKind | undefined;

  constructor(private readonly onEvent: (event: EngineEvent) => void) {}

  /** Wraps the program to keep the original text of its errors. */
  watched(program: PulumiFn): PulumiFn {
    return async () => {
      try {
        return await program();
      } catch (error) {
        this.thrown.push(error instanceof Error ? error.message : String(error));
        this.kind ??= failureKind(error);
        throw error;
      }
    };
  }

  event(event: EngineEvent): void {
    const { diagnosticEvent: diagnostic, resOutputsEvent, summaryEvent } = event;
    if (diagnostic?.severity === "error") this.errors.push(diagnostic.message);
    if (diagnostic?.severity === "warning") this.warnings.push(diagnostic.message);
    if (resOutputsEvent?.metadata.type === STACK_TYPE) this.outputs = resOutputsEvent.metadata.new?.outputs ?? {};
    if (summaryEvent) this.changes = summaryEvent.resourceChanges ?? {};
    this.onEvent(event);
  }

  outcome(finished: Finished): OperationOutcome {
    const { code, stdout, stderr } = finished;
    const ok = code === 0;
    const kind = this.kind ?? this.kindOfEnd(finished);
    return {
      ok,
      ...(!ok && kind && { kind }),
      outputs: this.outputs,
      changes: this.changes,
      errors: ok ? [] : this.reasons(stdout, stderr),
      warnings: distinctMessages(this.warnings),
      stderr,
    };
  }

  private kindOfEnd({ stderr, signal }: Finished): FailureKind | undefined {
    if (isStackRemoved(stderr)) return "changed";
    return signal !== undefined || this.errors.some(isLostProvider) ? "ended" : undefined;
  }

  /** Prefers errors of the program and of resources; the CLI's output is the fallback. */
  private reasons(stdout: string, stderr: string): string[] {
    const messages = distinctMessages([...this.thrown, ...this.errors]);
    if (messages.length > 0) return messages;
    const said = distinctMessages([stderr]);
    return said.length > 0 ? said : [stdout.trim() || "pulumi failed without saying why"];
  }
}
