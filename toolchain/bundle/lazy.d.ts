export interface LazyOptions {
  /** Whether it is a compiled ES module that is imported as a whole. Default: false. */
  readonly namespace?: boolean;
}
export declare function loadLazily(name: string, options?: LazyOptions): void;
