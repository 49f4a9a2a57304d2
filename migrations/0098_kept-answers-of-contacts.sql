-- Without a transaction: every installation has kept answers, and they go on being written.

-- The answers that tell of a contact, whom they are erased with.
create index concurrently if not exists kept_answers_of_contacts on kept_answers (tenant_id, resource_id) where kind = 'contact';
