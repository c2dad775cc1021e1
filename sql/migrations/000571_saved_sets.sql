-- may_read_file: whether a member may read the areas of sets in a file. What save_file saved (it has a recipe) its creator and
-- those who see everything keep when a set is no longer shared or was deleted.
create function may_read_file(f file, member text, everyone boolean) returns boolean
language sql stable parallel safe as $$
  select may_read_sets(f.sets, f.org, member, everyone) or f.recipe is not null and (everyone or f.creator = member)
$$;

-- Files that save_file saved: the sets of the versions in their recipes; for a version that was deleted, an id that no set has.
update file f
set sets = array(select distinct coalesce(v.area_set, 'deleted')
                 from jsonb_array_elements_text(f.input -> 'sets') w (id)
                 left join area_set_version v on v.id = w.id::bigint)
where f.recipe is not null and f.input ? 'sets' and f.sets is null;
