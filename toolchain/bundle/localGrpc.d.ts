/** Lets gRPC of this process, and of those that it starts, connect to this machine without a proxy. */
export declare function reachLocalGrpc(env: NodeJS.ProcessEnv): void;
