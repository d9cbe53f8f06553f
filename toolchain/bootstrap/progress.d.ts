export declare function duration(ms: number): string;
export declare function say(text: string): void;
export declare function step<T>(title: string, expected: string, work: () => Promise<T>): Promise<T>;
