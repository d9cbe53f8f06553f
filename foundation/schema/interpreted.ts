/**
 * Makes zod interpret schemas. By default each schema compiles a function when it checks its first value, which takes a
 * millisecond. These processes check one config, or one request at a time, and all values are small. Import this file
 * before any schema.
 */

import * as z from "zod";

z.config({ jitless: true });
