/** Sends a signal to processes, without those that end meanwhile: one that is killed often takes others with it. */
export function signalAll(pids: readonly (number | string)[], signal: NodeJS.Signals = "SIGKILL"): void {
  for (const pid of pids) {
    try {
      process.kill(Number(pid), signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
