-- No release had this table, so nobody reads it.
drop table if exists custom_values;
