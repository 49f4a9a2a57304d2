-- Up Migration

-- How the file is read beyond the columns before: the line of its header, the meanings of words, the sheets of a
-- workbook; JSON. A release without them reads the first line as the header and takes no words.
alter table imports add column reading text;
-- The words of the file that its enumerated fields do not have, as the check counted them; JSON.
alter table imports add column unknown_words text;
-- 'rows': the file as it is read. 'workbook': the workbook that those rows came from. 'skipped': cells of skipped rows.
-- 'corrected': the same, as a person corrected them.
alter table import_chunks add column part text not null default 'rows';
-- The values of words by field, as a person mapped them last; JSON.
alter table import_mappings add column words text;
