-- Load functions: sends_automatically, invoices_before_insert

-- A restored invoice keeps the day that it was due on by the terms of its time.
