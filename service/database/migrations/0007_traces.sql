-- Up Migration

-- Trace that an operation belongs to, as W3C's traceparent: whoever works on it, on any machine, continues it.
alter table operation add column trace text;

-- Down Migration

alter table operation drop column trace;
