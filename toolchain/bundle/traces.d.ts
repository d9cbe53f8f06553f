export declare function skipSilentTraces(env?: NodeJS.ProcessEnv): void;
export declare function traced<Program extends (...args: never[]) => unknown>(
  program: Program,
  bundle: string,
): Program;
