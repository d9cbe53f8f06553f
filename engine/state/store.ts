import type { StateStore } from "./stateStore";

/**
 * The store of a backend URL such as `file:///var/state` or `postgres://host/database`.
 * `folder` is where the CLI runs when it must be asked, and what a relative path is relative to.
 */
export async function openStore(folder: string, backend = process.env.PULUMI_BACKEND_URL): Promise<StateStore> {
  if (backend?.startsWith("file://")) {
    const { FileStore } = await import("./fileStore.js");
    return FileStore.open(backend, folder);
  }
  if (backend?.startsWith("postgres://")) {
    const { PostgresStore } = await import("./postgresStore.js");
    return PostgresStore.open(backend);
  }
  const { CommandStore } = await import("./commandStore.js");
  return new CommandStore(folder);
}

/** Opens the store of the environment's backend for some work, and closes it afterwards. */
export async function withStore<T>(folder: string, work: (store: StateStore) => Promise<T>): Promise<T> {
  const store = await openStore(folder);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
