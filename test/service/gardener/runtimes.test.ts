import { clouds } from "./clouds";
import { errors } from "./errors";
import { failures } from "./failures";
import { installer } from "./installer";
import { killed } from "./killed";
import { lifecycle } from "./lifecycle";
import { moved } from "./moved";
import { originalCases } from "./originalCases";
import { names } from "./names";
import { RuntimePlace } from "./place";
import { refusals } from "./refusals";

/** One service for all of them: its start is most of their time. */
describe("the original's API on the service's process", () => {
  let place: RuntimePlace;

  before(async function () {
    this.timeout(240_000);
    place = await RuntimePlace.start();
  });
  after(() => place.end());

  refusals(() => place);
  lifecycle(() => place);
  failures(() => place);
  originalCases(() => place);
  errors(() => place);
  killed(() => place);
  clouds(() => place);
  installer(() => place);
  names(() => place);
  moved(() => place);
});
