export declare const LOADED: readonly string[];
/** The packages outside of each entry's bundle. */
export declare const SERVICE_ENTRIES: Readonly<Record<string, readonly string[]>>;
