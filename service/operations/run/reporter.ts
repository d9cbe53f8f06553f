import type { NewEvent } from "../../database/queries/events";

/** Writes events in batches, because an engine reports many at once. */
export class Reporter {
  private readonly waiting: NewEvent[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writes: Promise<void> = Promise.resolve();

  /** A failure to write progress does not fail the operation; `lost` receives the error. */
  constructor(
    private readonly write: (events: readonly NewEvent[]) => Promise<void>,
    private readonly lost: (error: unknown) => void,
  ) {}

  add(events: readonly NewEvent[]): void {
    this.waiting.push(...events);
    this.timer ??= setTimeout(() => this.flush(), 200);
  }

  async end(): Promise<void> {
    this.flush();
    await this.writes;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const events = this.waiting.splice(0);
    this.writes = this.writes.then(() => this.write(events)).catch(this.lost);
  }
}
