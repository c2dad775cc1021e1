-- params: $1 key, $2 its org, $3 whether the keys that it made go too, those that these made, and so on; returns: the keys that were revoked
with recursive tree as (
  select id from api_key where id = $1 and org = $2
  union
  select k.id from api_key k join tree t on k.created_by_key = t.id where $3::boolean and k.org = $2
)
update api_key k set revoked_at = now()
from tree t where k.id = t.id and k.revoked_at is null
returning k.id, k.org, k.account, k.name, k.prefix
