/** What a check found. */
export interface Finding {
  readonly area: Area;
  /** Only faults make the command fail. */
  readonly level: "ok" | "warning" | "fault";
  readonly text: string;
  /** What to do about a warning or a fault. */
  readonly remedy?: string;
}

/** The areas in the order of the checks. */
export type Area = "tools" | "backend" | "config" | "aws" | "cluster" | "rights" | "registries" | "preview";

/** Creates the findings of an area. */
export const findingsOf = (area: Area) => ({
  ok: (text: string): Finding => ({ area, level: "ok", text }),
  warning: (text: string, remedy: string): Finding => ({ area, level: "warning", text, remedy }),
  fault: (text: string, remedy: string): Finding => ({ area, level: "fault", text, remedy }),
});

export const isFaulty = (findings: readonly Finding[]): boolean => findings.some(({ level }) => level === "fault");
