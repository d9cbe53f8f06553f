import type { StateResource } from "../resources/ownState";
import { presentAmong, type Present } from "./record/present";
import { allTypes, type Place } from "./types/registry";

/** Finds the runtime, of any type, among the resources of a state, by URN. */
export const presentOf = (resources: Readonly<Record<string, StateResource>>): Present<Place> | undefined =>
  presentAmong(resources, placeIn);

function placeIn(urn: string, resource: StateResource): Place | undefined {
  for (const type of allTypes) {
    const place = type.placeIn(urn, resource) as Place | undefined;
    if (place !== undefined) return place;
  }
  return undefined;
}
