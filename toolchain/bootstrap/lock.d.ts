export declare function startOf(pid: number): string | undefined;
export declare function withLock<T>(
  file: string,
  work: () => Promise<T>,
  onWait?: (holder: string) => void,
): Promise<T>;
export declare function isLocked(file: string): boolean;
