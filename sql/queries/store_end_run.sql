-- params: $1 import run, $2 its summary as JSON; returns: nothing
update import_run set finished_at = now(), summary = $2::jsonb where id = $1
