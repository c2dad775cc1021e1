-- params: $1 id or slug; returns: the org, held until the end of the transaction
select id, slug, name, plan, personal_of from org where id = $1 or slug = $1 order by id = $1 desc limit 1 for update
