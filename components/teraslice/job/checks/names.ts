import { footprintNames, isLegalLabel, isLegalName, jobLabel, jobNameLabel } from "../footprint/names";
import { JOB_PREFIX, RELOCATABLE } from "../footprint/labels";
import { NAMELESS } from "../fields";
import { OWNER_LABEL } from "../owner";
import type { Findings } from "./findings";

/** An id with the same format as a master's. */
const ID = "00000000-0000-0000-0000-000000000000";
const MOST = 63;

/** Checks the names of objects and the label that a master derives from the job's name. */
export function checkName(findings: Findings): void {
  const { name = NAMELESS } = findings.job;
  const label = jobNameLabel(name);
  const wrong = Object.values<string>({ ...footprintNames(name, ID) }).find((each) => !isLegalName(each));
  const hint = `such as ${legal(label.replaceAll(".", "-"))}`;
  if (wrong !== undefined) {
    const objects = wrong.replace(ID.slice(0, 13), "…");
    findings.error(["name"], `another, because a master calls objects ${objects}, which Kubernetes refuses`, hint);
  } else if (!isLegalLabel(label)) {
    findings.error(["name"], `another, because a master makes it the label ${label}, which Kubernetes refuses`, hint);
  }
}

/** Checks the labels that a master derives from the job's labels. */
export function checkLabels(findings: Findings): void {
  const known = new Map<string, string>();
  // Their shape was checked. Reads the original object, because zod drops the key __proto__ and a master does not.
  const labels = findings.job.labels && (findings.place.root["labels"] as Readonly<Record<string, string>>);
  for (const [key, value] of Object.entries(labels ?? {})) {
    const made = jobLabel(key);
    const path = ["labels", key];
    if (!isLegalLabel(made)) {
      const expected = `another key, because a master makes it ${JOB_PREFIX}/${made}, which Kubernetes refuses`;
      findings.errorOf(path, `the key ${JSON.stringify(key)}`, expected, suggestion(made));
      continue;
    }
    if (key === OWNER_LABEL) {
      findings.errorOf(
        path,
        `the key ${JSON.stringify(key)}`,
        "another key, because the platform finds its jobs by it",
      );
    }
    if (made === RELOCATABLE) {
      findings.errorOf(path, `the key ${JSON.stringify(key)}`, "another key, because a master sets this one itself");
    }
    const other = known.get(made);
    if (other !== undefined) {
      const found = `the key ${JSON.stringify(key)}`;
      findings.errorOf(path, found, `another key, because it becomes ${made}, as ${JSON.stringify(other)} does`);
    }
    known.set(made, key);
    const label = jobLabel(value);
    if (!isLegalLabel(label)) {
      findings.error(
        path,
        `another value, because a master makes it ${label}, which Kubernetes refuses`,
        suggestion(label),
      );
    } else if (key.length > MOST || value.length > MOST) {
      findings.warning(path, `more than ${MOST} characters`, `${MOST} at most, because a master cuts off the rest`);
    }
  }
}

/** Removes illegal characters from both ends. */
const legal = (text: string): string => text.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "");

const suggestion = (text: string): string | undefined => (legal(text) === "" ? undefined : `such as ${legal(text)}`);
