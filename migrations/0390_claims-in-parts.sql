-- Up Migration

-- claim_jobs has parts: renew_leases, fold_lane_news, lanes_to_serve and pick_jobs. A start loads all of them.
