export interface LazyOptions {
  /** It is a compiled ES module, imported as a whole. Default: false. */
  readonly namespace?: boolean;
}
export declare function loadLazily(name: string, options?: LazyOptions): void;
