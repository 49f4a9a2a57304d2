-- For keep_history: the expression that converts a column to JSON in the API's format; SQL's null for null.
create or replace function history_json(resource_column text, column_type oid) returns text
  language sql immutable
  return case column_type
    when 'timestamptz'::regtype
      then format('to_json(to_char(%s at time zone ''UTC'', ''YYYY-MM-DD"T"HH24:MI:SS.US"Z"''))', resource_column)
    when 'numeric'::regtype then format('to_json(%s::text)', resource_column)
    else format('to_json(%s)', resource_column)
  end;
