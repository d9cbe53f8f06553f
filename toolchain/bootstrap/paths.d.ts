export declare const ROOT: string;
export declare function toolsFolder(env?: NodeJS.ProcessEnv): string;
