/** Requests the engine to start our provider; resolves when the request is sent. */
export function startProvider(): Promise<void>;
