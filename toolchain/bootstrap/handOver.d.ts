export declare function handOver(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number>;
