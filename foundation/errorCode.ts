/** Whether an error from Node.js or the operating system has this code, such as `EEXIST`. */
export const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;

/** Whether a file or folder does not exist. */
export const isMissing = (error: unknown): boolean => hasCode(error, "ENOENT");
