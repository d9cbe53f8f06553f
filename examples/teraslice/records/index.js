import { BaseSchema, BatchProcessor, Fetcher, MapProcessor, ParallelSlicer } from "@terascope/job-components";

/** A key of an operation with a default, in the form that Teraslice validates. */
const number = (value, doc) => ({ default: value, doc, format: "nat" });

class GenerateSchema extends BaseSchema {
  build() {
    return { records: number(1000, "Number of records."), size: number(500, "Records of a slice.") };
  }
}

/** Continues after the last slice that an earlier execution stored. */
class GenerateSlicer extends ParallelSlicer {
  isRecoverable() {
    return true;
  }

  async newSlicer(id) {
    const { records, size } = this.opConfig;
    const { slicers = 1 } = this.executionConfig;
    const step = slicers * size;
    const { lastSlice } = this.recoveryData.find(({ slicer_id }) => slicer_id === id) ?? {};
    let next = lastSlice ? lastSlice.from + step : id * size;
    return async () => {
      if (next >= records) return null;
      const slice = { from: next, count: Math.min(size, records - next) };
      next += step;
      return slice;
    };
  }
}

class GenerateFetcher extends Fetcher {
  async fetch({ from, count }) {
    return Array.from({ length: count }, (_, index) => ({ number: from + index }));
  }
}

class SquareSchema extends BaseSchema {
  build() {
    return {};
  }
}

class Square extends MapProcessor {
  map({ number }) {
    return { number, square: number * number };
  }
}

class StoreSchema extends BaseSchema {
  build() {
    return {
      index: { default: null, doc: "Name of the index.", format: "required_string" },
      _connection: { default: "default", doc: "Connection to the search engine.", format: "optional_string" },
    };
  }
}

/** Indexes by the number of the record, so that a slice that is repeated changes nothing. */
class Store extends BatchProcessor {
  async initialize() {
    await super.initialize();
    const { client } = await this.context.apis.foundation.createClient({
      type: "elasticsearch-next",
      endpoint: this.opConfig._connection,
      cached: true,
    });
    this.client = client;
  }

  async onBatch(records) {
    const { index } = this.opConfig;
    if (records.length === 0) return records;
    const body = records.flatMap((record) => [{ index: { _index: index, _id: String(record.number) } }, record]);
    const answer = await this.client.bulk({ body });
    if (answer.errors) throw new Error(JSON.stringify(answer.items.find((item) => item.index.error)));
    return records;
  }
}

export const ASSETS = {
  generate: { Slicer: GenerateSlicer, Fetcher: GenerateFetcher, Schema: GenerateSchema },
  square: { Processor: Square, Schema: SquareSchema },
  store: { Processor: Store, Schema: StoreSchema },
};
