export interface Options {
  /** Project folder. Default: the checkout of this file. */
  readonly root?: string;
  /** Packages to omit of the bundle besides the ones that always are. */
  readonly external?: readonly string[];
  /** Reported before the bundle is built, which takes a while. */
  readonly onBuild?: () => void;
  /** Built now, and taken as it is from then on: for an image, whose files have other times. */
  readonly sealed?: boolean;
}
export declare function fresh(entry: string, options?: Options): string;
export declare function run(entry: string, options?: Options): unknown;
