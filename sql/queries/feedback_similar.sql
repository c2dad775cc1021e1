-- params: $1 text for trigrams, $2 item to leave out, $3 limit; returns: ids of items that resemble it, most alike first
select id from feedback_item
where ascii % $1 and id <> $2
order by similarity(ascii, $1) desc, id desc
limit $3
