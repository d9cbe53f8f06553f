import { watch } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { parseEvent, type EngineStep } from "./events";

/** Steps that change nothing. */
const HARMLESS = new Set(["same", "read", "refresh", "discard", "read-discard"]);

/** True if a step changes something outside the state. */
const changes = ({ op, type, new: next, old }: EngineStep): boolean =>
  !HARMLESS.has(op) && !type.startsWith("pulumi:") && (next ?? old)?.custom !== false;

/**
 * Watches the file that `pulumi … --event-log FILE` writes, and calls `began` once when the engine starts its first
 * change. `end` reads the rest when the engine is done, and returns whether there was a change.
 */
export function startOfChanges(file: string, began: () => Promise<unknown>): { end: () => Promise<boolean> } {
  let rest = "";
  let read = 0;
  let found = false;
  const look = async (): Promise<void> => {
    if (found) return;
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - read), 0, size - read, read);
      read += bytesRead;
      const lines = (rest + buffer.toString("utf8", 0, bytesRead)).split("\n");
      rest = lines.pop() ?? "";
      const steps = lines.flatMap((line) => parseEvent(line)?.resourcePreEvent?.metadata ?? []);
      found = steps.some(changes);
    } finally {
      await handle.close();
    }
    if (found) await began();
  };
  // Reads run one after the other: each continues where the previous one ended.
  let looks: Promise<void> = writeFile(file, "", { mode: 0o600 });
  const again = () => (looks = looks.then(look));
  // An error of one read fails all that follow, so the last one reports it.
  const watcher = looks.then(() => watch(file, { persistent: false }, () => void again().catch(() => undefined)));
  return {
    end: async () => {
      (await watcher).close();
      await again();
      return found;
    },
  };
}
