-- Up Migration

-- The beginning of the receiver's answer to the last attempt, if that failed, as encrypted JSON
-- (src/webhooks/receiver-answer.ts). Null for events of contacts: receivers repeat what they got.
alter table webhook_deliveries add column last_answer text;
