export interface Options {
  /** Project folder. Default: the checkout that contains this file. */
  readonly root?: string;
  /** Additional packages outside of the bundle. */
  readonly external?: readonly string[];
  /** Called before the bundle is built, which takes a while. */
  readonly onBuild?: () => void;
  /** Build it now, and never check its sources again: for an image, where files have other times. */
  readonly sealed?: boolean;
}
export declare function fresh(entry: string, options?: Options): string;
export declare function run(entry: string, options?: Options): unknown;
