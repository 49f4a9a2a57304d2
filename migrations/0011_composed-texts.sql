-- Without a transaction: texts that were stored before are composed (NFC) and have at most 30 combining marks in a row,
-- as the API, forms and imports store them from now on. fold() no longer composes them for each row of a scan. Phones
-- stay: they are encrypted.
-- Up Migration

-- A longer run gets a combining grapheme joiner after each 30 marks, which has no effect on its look (Unicode Standard
-- Annex 15, stream-safe text). That comes first: a long run takes quadratic time to compose. The second time is for
-- marks that become two. A row whose new text belongs to another one already keeps its own.
do $$
declare
  -- PostgreSQL has no class of marks. A mark changes places with one of a lower, or of a higher, combining class.
  marks constant text := (
    select string_agg(chr(c), '') from generate_series(768, 126976) c
    where c not between 55296 and 57343
      and (left(normalize(chr(c) || chr(820), NFD), 1) = chr(820) and c <> 820
        or left(normalize(chr(769) || chr(c), NFD), 1) <> chr(769) or c = 820)
  );
  run constant text := format('([%s]{30})(?=[%s])', marks, marks);
  break constant text := '\1' || chr(847);
  noun record;
  behind record;
  is_behind text;
  assignments text;
begin
  for noun in
    select * from (values
      ('companies', '{name,tax_id,registration_number,industry,website,email,address,city,county,country,postal_code,notes,managing_company,activity_domain,fiscal_address,delivery_notes}'::text[]),
      ('contacts', '{first_name,last_name,email,position,department,job_title,notes}'),
      ('addresses', '{label,address,city,county,country,postal_code,contact_name,delivery_notes}'),
      ('invoices', '{number,currency,lines,wms_order_number}'),
      ('activities', '{note}'),
      ('offers', '{number,title,status,currency}'),
      ('deals', '{number,title,status,currency}'),
      ('tickets', '{number,title,status,currency}'),
      ('subscriptions', '{number,title,status,currency}'),
      ('list_views', '{name}'),
      ('users', '{name,email}')
    ) as nouns (name, columns)
  loop
    -- A run of 31 marks has 31 bytes more than characters.
    select string_agg(format('(%1$I is not nfc normalized or octet_length(%1$I) - length(%1$I) > 30 and %1$I ~ $1)', c), ' or '),
      string_agg(format('%1$I = regexp_replace(normalize(regexp_replace(%1$I, $1, $2, ''g''), NFC), $1, $2, ''g'')', c), ', ')
    into is_behind, assignments
    from unnest(noun.columns) c;
    if exists (select from pg_attribute where attrelid = noun.name::regclass and attname = 'updated_at') then
      assignments := assignments || ', updated_at = moment_after(updated_at), changed_by = ''command''';
    end if;
    for behind in execute format('select tenant_id, id from %I where %s', noun.name, is_behind) using run loop
      begin
        execute format('update %I set %s where tenant_id = $3 and id = $4', noun.name, assignments)
          using run, break, behind.tenant_id, behind.id;
      exception when unique_violation then
        null;
      end;
      commit;
    end loop;
  end loop;
end $$;
