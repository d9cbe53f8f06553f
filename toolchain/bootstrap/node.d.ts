export declare function ensureNode(): Promise<string>;
export declare function newEnough(version: string, least?: number): boolean;
