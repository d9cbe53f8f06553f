export interface PackageLock {
  readonly packages?: Readonly<
    Record<string, { readonly version?: string; readonly integrity?: string; readonly optional?: boolean }>
  >;
}
export declare function ensurePackages(root: string): Promise<void>;
export declare function firstDifference(wanted: PackageLock, installed: PackageLock): string | undefined;
