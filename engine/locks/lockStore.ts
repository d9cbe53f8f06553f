/** Small texts next to the states of a backend. All operations are atomic across all users of the backend. */
export interface LockStore {
  /** Returns false if the name exists. */
  create(name: string, text: string): Promise<boolean>;
  read(name: string): Promise<string | undefined>;
  /** Names in a folder; `folder` ends with `/`. */
  names(folder: string): Promise<string[]>;
  /** Removes an entry only if it has exactly this text. Returns false otherwise. */
  removeIf(name: string, text: string): Promise<boolean>;
  close(): Promise<void>;
}
