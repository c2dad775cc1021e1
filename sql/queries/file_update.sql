-- params: $1 file, $2 name or null, $3 visibility or null, $4 boundary or null, $5 version or null, $6 sha256 or null; returns: nothing
update file
set name = coalesce($2, name), visibility = coalesce($3, visibility), boundary = coalesce($4, boundary),
    version = coalesce($5, version), sha256 = coalesce($6, sha256), updated_at = now()
where id = $1
