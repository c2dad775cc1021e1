-- params: $1 key, $2 who asks; returns: nothing. The slot is another's, the claim stays
update upstream_fetch set server = null where key = $1 and lease = $2
