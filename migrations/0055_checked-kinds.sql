-- Without a transaction: the check of the kinds of activities.

alter table activities validate constraint activities_kind_check;
