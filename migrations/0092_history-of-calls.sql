-- From here on calls to come have a history. Those of 0091 are in the history of their companies.

call keep_history('planned_calls', 'planned_call');
