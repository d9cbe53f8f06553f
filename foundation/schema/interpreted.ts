/**
 * Has schemas interpret values. By default each compiles a function when it checks its first value, which takes a
 * millisecond; our processes check a config, or a request at a time, and no value is large. To be imported before any schema.
 */

import * as z from "zod";

z.config({ jitless: true });
