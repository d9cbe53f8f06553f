export declare const LOADED: readonly string[];
/** Entry to the packages that stay outside its bundle. */
export declare const SERVICE_ENTRIES: Readonly<Record<string, readonly string[]>>;
