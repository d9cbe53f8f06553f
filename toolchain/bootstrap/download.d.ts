export declare class Unreachable extends Error {}
export declare class ChecksumMismatch extends Error {}
export interface Checksum {
  readonly algorithm: "sha256" | "sha512";
  readonly hex: string;
}
export declare function reachable(url: string, limitMs?: number): Promise<boolean>;
export declare function fetchText(url: string, limitMs?: number): Promise<string>;
export declare function checksumOf(list: string, file: string): Checksum | undefined;
export declare function download(what: {
  readonly url: string;
  readonly checksums: string;
  readonly target: string;
  readonly stallMs?: number;
}): Promise<void>;
