-- Up Migration

-- An invitation is open no longer than its maker is an active admin: from now on whatever takes that away revokes it.
update invitations i set revoked_at = now()
from users u
where u.tenant_id = i.tenant_id and u.id = i.invited_by and (u.role <> 'admin' or u.deactivated_at is not null)
  and i.accepted_at is null and i.revoked_at is null;
