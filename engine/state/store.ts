import type { StateStore } from "./stateStore";

/**
 * Opens the store of a backend URL such as `file:///var/state` or `postgres://host/database`. `folder` is the working
 * folder of the CLI, and the base of relative paths.
 */
async function openStore(folder: string, backend = process.env.PULUMI_BACKEND_URL): Promise<StateStore> {
  if (backend?.startsWith("file://")) {
    const { FileStore } = await import("./fileStore.js");
    return FileStore.open(backend, folder);
  }
  if (backend?.startsWith("postgres://")) {
    const { PostgresStore } = await import("./postgres/store.js");
    return PostgresStore.open(backend);
  }
  const { CommandStore } = await import("./commandStore.js");
  return new CommandStore(folder);
}

/** Runs work with the store of the environment's backend, then closes the store. */
export async function withStore<T>(folder: string, work: (store: StateStore) => Promise<T>): Promise<T> {
  const store = await openStore(folder);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
