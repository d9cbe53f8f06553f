import type { Workspace } from "../../../foundation/pulumi/backend";
import type { StateStore } from "./stateStore";

async function openStore(workspace: Workspace): Promise<StateStore> {
  const { folder, backend } = workspace;
  if (backend?.startsWith("file://")) {
    const { FileStore } = await import("./fileStore.js");
    return FileStore.open(backend, folder);
  }
  if (backend?.startsWith("postgres://")) {
    const { PostgresStore } = await import("./postgresStore.js");
    return PostgresStore.open(backend);
  }
  const { CommandStore } = await import("./commandStore.js");
  return new CommandStore(workspace);
}

/** Runs work with the store of the backend, then closes the store. */
export async function withStore<T>(workspace: Workspace, work: (store: StateStore) => Promise<T>): Promise<T> {
  const store = await openStore(workspace);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
