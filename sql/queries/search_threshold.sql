-- params: $1 a similarity between 0 and 1; returns: the same; until the end of the transaction, how alike search_typos wants a name, and that it goes by its indexes: the planner takes comparing trigrams, 2 µs a name, for as cheap as comparing numbers
select set_config('pg_trgm.word_similarity_threshold', $1, true) as similarity, set_config('enable_seqscan', 'off', true) as scans
