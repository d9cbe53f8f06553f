import { table } from "../../cli/terminal/table";
import { median, type Cost } from "./measure";

export interface Row {
  readonly name: string;
  readonly costs: readonly Cost[];
  /** Name of the row to compare with. */
  readonly peer?: string;
  /** The target, such as `1.3×` or `1.0 s`. */
  readonly aim?: string;
}

function fixed(value: number): string {
  return value.toFixed(2);
}

/** Prints the median of each row, its fastest and slowest run, and its multiples of the peer's medians. */
export function report(title: string, rows: readonly Row[]): void {
  const seconds = ({ costs }: Row) => costs.map((cost) => cost.seconds);
  const cpu = ({ costs }: Row) => costs.map((cost) => cost.cpuSeconds);
  const lines = rows.map((row) => {
    const peer = rows.find(({ name }) => name === row.peer);
    const ratio = (of: typeof cpu) => (peer ? `${fixed(median(of(row)) / median(of(peer)))}×` : "");
    return [
      row.name,
      fixed(median(seconds(row))),
      `${fixed(Math.min(...seconds(row)))}–${fixed(Math.max(...seconds(row)))}`,
      fixed(median(cpu(row))),
      ratio(seconds),
      ratio(cpu),
      row.aim ?? "",
    ];
  });
  const right = (name: string) => ({ title: name, align: "right" as const });
  const columns = [
    { title: title.toUpperCase() },
    right("MEDIAN s"),
    right("RANGE s"),
    right("CPU s"),
    right("× PEER"),
    right("× CPU"),
    right("AIM"),
  ];
  process.stdout.write(`\n${table(columns, lines)}\n`);
}
