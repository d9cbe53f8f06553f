import assert from "node:assert/strict";
import { holdsSecret, isEndpoint } from "../../../foundation/net/givenAddress";

describe("an address in config", () => {
  const SECRET = [
    "https://u:PW@host/x.git",
    "https://TOKEN@host/x.git",
    "http://host/a.tgz?token=PW",
    "https://host/a.tgz?x=1&X-Amz-Signature=PW",
    "ssh://git:PW@host/x.git",
    "u:PW@host/x",
    "u:PW@host:5000/x@sha256:ab",
    "u:PW@host:path.git",
  ];
  for (const text of SECRET) it(`holds a secret: ${text}`, () => assert.equal(holdsSecret(text), true));

  const PLAIN = [
    "https://host/x.git",
    "https://host/a.tgz?ref=v1",
    "https://host/@scope/a.tgz",
    "ssh://git@host/x.git",
    "git@host:path/x.git",
    "file:///srv/x.git",
    "nginx:1.2@sha256:ab",
    "host:5000/x:1@sha256:ab",
    "host:5000/path",
  ];
  for (const text of PLAIN) it(`holds no secret: ${text}`, () => assert.equal(holdsSecret(text), false));

  it("is an endpoint with a host that can exist and a port up to 65535", () => {
    const legal = [
      "kafka-0.kafka.svc:9092",
      "10.0.0.3:9092",
      "b-1.msk.amazonaws.com:65535",
      "https://s3/",
      "s3",
      "s3-2",
    ];
    for (const text of legal) assert.equal(isEndpoint(text), true, text);
    const illegal = [
      "b-1:90920",
      "b:0",
      "1.2.3.4.5:9092",
      "10.0.0.300:9092",
      "https://minio:90000",
      "a..b:1",
      "-a:1",
      "",
    ];
    for (const text of illegal) assert.equal(isEndpoint(text), false, text);
  });
});
