-- takes: $1 a similarity between 0 and 1; gives: the same; how alike search_typos wants a name, until the end of the transaction
select set_config('pg_trgm.word_similarity_threshold', $1, true)
