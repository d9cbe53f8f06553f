/** Small texts beside the states of a backend. Each step is one step for everybody who uses the backend. */
export interface LockStore {
  /** False where the name is taken. */
  create(name: string, text: string): Promise<boolean>;
  read(name: string): Promise<string | undefined>;
  /** Names below a folder that ends with `/`. */
  names(folder: string): Promise<string[]>;
  /** Removes what has exactly this text. False where somebody else was faster. */
  removeIf(name: string, text: string): Promise<boolean>;
  close(): Promise<void>;
}
