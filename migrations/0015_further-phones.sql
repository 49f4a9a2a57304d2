-- Up Migration

-- Phones of a field with several numbers are found by each of them (docs/decisions/0052-finding-anything.md).
-- Load functions: phone_endings, find_further_phones, find_phones
revoke all on function find_further_phones from public;
