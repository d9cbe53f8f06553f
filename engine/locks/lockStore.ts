/** Small texts next to the states of a backend. Each operation is atomic for all users of the backend. */
export interface LockStore {
  /** False if the name is taken. */
  create(name: string, text: string): Promise<boolean>;
  read(name: string): Promise<string | undefined>;
  /** Names below a folder that ends with `/`. */
  names(folder: string): Promise<string[]>;
  /** Removes what has exactly this text. False if another process was faster. */
  removeIf(name: string, text: string): Promise<boolean>;
  close(): Promise<void>;
}
