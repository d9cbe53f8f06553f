import assert from "node:assert/strict";
import { partition } from "../../../foundation/iam/partitions";

describe("the partition of a region", () => {
  const cases: readonly (readonly [region: string, id: string, iamHost: string, iamRegion: string])[] = [
    ["eu-central-1", "aws", "iam.amazonaws.com", "us-east-1"],
    ["cn-northwest-1", "aws-cn", "iam.cn-north-1.amazonaws.com.cn", "cn-north-1"],
    ["us-gov-east-1", "aws-us-gov", "iam.us-gov.amazonaws.com", "us-gov-west-1"],
    ["eusc-de-east-1", "aws-eusc", "iam.eusc-de-east-1.amazonaws.eu", "eusc-de-east-1"],
    ["us-isob-east-1", "aws-iso-b", "iam.us-isob-east-1.sc2s.sgov.gov", "us-isob-east-1"],
  ];
  for (const [region, id, host, iamRegion] of cases) {
    it(`of ${region} is ${id}, with its own IAM`, () => {
      const found = partition(region);
      assert.deepEqual([found.id, found.iam], [id, { host, region: iamRegion }]);
    });
  }
});
