-- Up Migration

-- Notes are found by their words (docs/decisions/0052-finding-anything.md).
-- Load functions: activity_words, find_activities_by_words, find_activities
revoke all on function find_activities_by_words, find_activities from public;
grant execute on function find_activities to liaison_app;
