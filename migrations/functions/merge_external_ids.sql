-- The external ids of a resource after a write. A source without an id is removed; a source that was not sent stays.
create or replace function merge_external_ids(before jsonb, sent jsonb) returns jsonb
  language sql immutable parallel safe
  return nullif(jsonb_strip_nulls(coalesce(before, '{}') || coalesce(sent, '{}')), '{}');
