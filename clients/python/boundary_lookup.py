"""Client of Boundary Lookup in one file, for Python 3.8 or newer, without dependencies.

    from boundary_lookup import BoundaryLookup

    boundaries = BoundaryLookup("https://boundaries.example.org", key="...")
    found = boundaries.search_boundaries("Sevilla", country="ES")["items"][0]
    with boundaries.stream("export_boundary", id=found["id"], format="geopackage") as file:
        ...

Calls that are refused because the service is busy are repeated when Retry-After says so; after 503 only those that read.
Redirects are errors.
"""
import json
import shutil
import time
import urllib.error
import urllib.parse
import urllib.request

__version__ = "0.1.0"

#: The longest wait between two tries, in seconds: a longer Retry-After is an error at once.
LONGEST_WAIT = 120


class BoundaryError(Exception):
    """A problem document (RFC 9457): code says which, str() is a sentence, issues name the fields."""

    def __init__(self, status, problem):
        super().__init__(problem.get("detail") or "HTTP %d" % status)
        self.status = status
        self.code = problem.get("code", "http_error")
        self.issues = problem.get("issues", [])
        self.request_id = problem.get("request_id")
        self.problem = problem


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Makes a redirect an error: urllib would send the key to any host that is named."""

    def redirect_request(self, *_):
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)


class BoundaryLookup:
    """The operations of a service. Each is a method; call() takes any of them by name."""

    def __init__(self, url="http://127.0.0.1:8080", key=None, retries=4, timeout=60):
        self._url = url.rstrip("/")
        self._key = key
        self._retries = retries
        self._timeout = timeout

    def _open(self, path, body=None, is_read=True):
        headers = {"Accept-Encoding": "identity", "User-Agent": "boundary-lookup-python/" + __version__}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._key is not None and body is not None:
            headers["Authorization"] = "Bearer " + self._key
        tries = 0
        while True:
            request = urllib.request.Request(self._url + path, data=body, headers=headers)
            try:
                return _OPENER.open(request, timeout=self._timeout)
            except urllib.error.HTTPError as error:
                with error:
                    content = error.read()
                try:
                    problem = json.loads(content)
                except ValueError:
                    problem = {}
                retry_after = error.headers.get("Retry-After", "")
                wait = float(retry_after) if retry_after.isdigit() else float(2**tries)
                # After 503 a write may have happened all the same.
                is_later = error.code == 429 or (error.code == 503 and is_read)
                if not is_later or tries >= self._retries or wait > LONGEST_WAIT:
                    raise BoundaryError(error.code, problem if isinstance(problem, dict) else {}) from None
                time.sleep(wait)
            tries += 1

    def _request(self, name, given):
        body = json.dumps({key: value for key, value in given.items() if value is not None}).encode()
        return self._open("/v1/ops/" + urllib.parse.quote(name), body, is_read=name in self._READS)

    def call(self, name, /, **given):
        """Calls an operation by name. Answers in JSON are parsed; others are bytes. None leaves a field out."""
        with self._request(name, given) as response:
            content = response.read()
            kind = response.headers.get_content_type()
        return json.loads(content) if kind == "application/json" or kind.endswith("+json") else content

    def stream(self, name, /, **given):
        """The file that an operation makes, as a file object to read from: of any size, never as a whole in memory."""
        response = self._request(name, given)
        if response.headers.get_content_type() != "application/json":
            return response
        with response:
            answer = json.loads(response.read())
        if not isinstance(answer.get("url"), str):
            raise TypeError("%s has no file for this input" % name)
        # The address names the public one of the service, which may not be the one used here.
        path = urllib.parse.urlsplit(answer["url"]).path
        return self._open(path[path.index("/v1/") :])

    def save(self, path, name, /, **given):
        """Writes the file that an operation makes."""
        with self.stream(name, **given) as source, open(path, "wb") as target:
            shutil.copyfileobj(source, target)

    def pages(self, name, /, **given):
        """The items of all pages of an operation that has pages, one after the other."""
        while True:
            page = self.call(name, **given)
            yield from page["items"]
            if not page.get("next"):
                return
            given["cursor"] = page["next"]

    # Below: made by scripts/make_clients.ts from the registry of operations.

    _READS = frozenset((
        "search_boundaries",
        "reverse_boundaries",
        "list_children",
        "list_neighbors",
        "get_boundary",
        "union_boundaries",
        "create_area",
        "dissolve",
        "locate_points",
        "match_names",
        "list_match_corrections",
        "join",
        "crosswalk",
        "convert_values",
        "compare_file",
        "cover_boundaries",
        "draw_map",
        "export_boundary",
        "export_collection",
        "list_versions",
        "list_changes",
        "get_change_feed",
        "list_kinds",
        "get_data_status",
        "list_files",
        "get_file",
        "list_area_sets",
        "get_area_set",
        "list_set_areas",
        "list_set_gaps",
        "list_subscriptions",
        "list_jobs",
        "get_job",
        "get_pricing",
        "get_account",
        "get_usage",
        "list_api_keys",
        "list_orgs",
        "get_org",
        "list_members",
        "list_invites",
        "list_teams",
        "list_audit_log",
        "list_oauth_grants",
        "list_feedback",
        "get_feedback",
        "list_reviews",
        "get_own_review",
    ))

    def search_boundaries(self, q, *, country=None, kind=None, admin_level=None, near=None, prefix=None, limit=None, lang=None, names=None, as_of=None, recorded_before=None, scope=None):
        """Finds boundaries and postcode areas by name, in any language."""
        return self.call("search_boundaries", q=q, country=country, kind=kind, admin_level=admin_level, near=near, prefix=prefix, limit=limit, lang=lang, names=names, as_of=as_of, recorded_before=recorded_before, scope=scope)

    def reverse_boundaries(self, lat, *, lon, lang=None, names=None, as_of=None, recorded_before=None, scope=None):
        """Every administrative boundary that contains a point, country first, and postcode areas."""
        return self.call("reverse_boundaries", lat=lat, lon=lon, lang=lang, names=names, as_of=as_of, recorded_before=recorded_before, scope=scope)

    def list_children(self, id, *, admin_level=None, levels=None, limit=None, cursor=None, lang=None, names=None, as_of=None, recorded_before=None):
        """Lists the subdivisions of a boundary: the next level below it, those of a level, the direct ones or all."""
        return self.call("list_children", id=id, admin_level=admin_level, levels=levels, limit=limit, cursor=cursor, lang=lang, names=names, as_of=as_of, recorded_before=recorded_before)

    def list_children_pages(self, id, *, admin_level=None, levels=None, limit=None, cursor=None, lang=None, names=None, as_of=None, recorded_before=None):
        """The items of all its pages."""
        return self.pages("list_children", id=id, admin_level=admin_level, levels=levels, limit=limit, cursor=cursor, lang=lang, names=names, as_of=as_of, recorded_before=recorded_before)

    def list_neighbors(self, id, *, admin_level=None, levels=None, limit=None, cursor=None, lang=None, names=None, as_of=None, recorded_before=None, scope=None):
        """Lists the neighbors of a boundary, with the length of the common border in km."""
        return self.call("list_neighbors", id=id, admin_level=admin_level, levels=levels, limit=limit, cursor=cursor, lang=lang, names=names, as_of=as_of, recorded_before=recorded_before, scope=scope)

    def list_neighbors_pages(self, id, *, admin_level=None, levels=None, limit=None, cursor=None, lang=None, names=None, as_of=None, recorded_before=None, scope=None):
        """The items of all its pages."""
        return self.pages("list_neighbors", id=id, admin_level=admin_level, levels=levels, limit=limit, cursor=cursor, lang=lang, names=names, as_of=as_of, recorded_before=recorded_before, scope=scope)

    def get_boundary(self, id, *, detail=None, tolerance_m=None, area=None, water=None, include=None, lang=None, names=None, as_of=None, recorded_before=None):
        """A boundary with its polygon, as a GeoJSON Feature."""
        return self.call("get_boundary", id=id, detail=detail, tolerance_m=tolerance_m, area=area, water=water, include=include, lang=lang, names=names, as_of=as_of, recorded_before=recorded_before)

    def union_boundaries(self, include, *, exclude=None, detail=None, tolerance_m=None, area=None, water=None, format=None, as_of=None, recorded_before=None):
        """Merges boundaries into one polygon: the union of include minus the union of exclude."""
        return self.call("union_boundaries", include=include, exclude=exclude, detail=detail, tolerance_m=tolerance_m, area=area, water=water, format=format, as_of=as_of, recorded_before=recorded_before)

    def create_area(self, as_of=None, *, scope=None, description=None, plan=None, country=None, lang=None, near=None, area=None, water=None, detail=None, format=None, dry_run=None):
        """Turns an area described in words into one polygon, and shows how the words were understood."""
        return self.call("create_area", as_of=as_of, scope=scope, description=description, plan=plan, country=country, lang=lang, near=near, area=area, water=water, detail=detail, format=format, dry_run=dry_run)

    def dissolve(self, as_of=None, *, recorded_before=None, groups=None, csv=None, within=None, detail=None, tolerance_m=None, area=None, water=None, format=None, safe_csv=None, zip_of=None):
        """Merges groups of boundaries into new areas that fit each other, such as sales districts of municipalities."""
        return self.call("dissolve", as_of=as_of, recorded_before=recorded_before, groups=groups, csv=csv, within=within, detail=detail, tolerance_m=tolerance_m, area=area, water=water, format=format, safe_csv=safe_csv, zip_of=zip_of)

    def locate_points(self, points=None, *, levels=None, kinds=None, lat_column=None, lon_column=None, crs=None, as_of=None, recorded_before=None, scope=None, figures=None, fields=None, safe_csv=None):
        """The boundaries that contain each of many points: a stream of rows, or a list of points."""
        return self.call("locate_points", points=points, levels=levels, kinds=kinds, lat_column=lat_column, lon_column=lon_column, crs=crs, as_of=as_of, recorded_before=recorded_before, scope=scope, figures=figures, fields=fields, safe_csv=safe_csv)

    def match_names(self, rows=None, *, country=None, within=None, scope=None, admin_level=None, kind=None, language=None, decide=None, name_column=None, code_column=None, within_columns=None, type_column=None, dry_run=None, safe_csv=None):
        """Matches a table of place names or codes with boundaries, row by row: from words to ids."""
        return self.call("match_names", rows=rows, country=country, within=within, scope=scope, admin_level=admin_level, kind=kind, language=language, decide=decide, name_column=name_column, code_column=code_column, within_columns=within_columns, type_column=type_column, dry_run=dry_run, safe_csv=safe_csv)

    def save_match_corrections(self, rows=None, *, csv=None, name_column=None, within_columns=None):
        """Remembers for the organization what names in its tables mean."""
        return self.call("save_match_corrections", rows=rows, csv=csv, name_column=name_column, within_columns=within_columns)

    def list_match_corrections(self, limit=None, *, offset=None):
        """Lists what names mean in tables of the organization, as it was corrected."""
        return self.call("list_match_corrections", limit=limit, offset=offset)

    def join(self, csv, *, id_column=None, group_column=None, parent_level=None, figures=None, format=None, safe_csv=None, zip_of=None, detail=None, tolerance_m=None):
        """Joins a table of figures by id with boundaries: a collection with the figures as properties."""
        return self.call("join", csv=csv, id_column=id_column, group_column=group_column, parent_level=parent_level, figures=figures, format=format, safe_csv=safe_csv, zip_of=zip_of, detail=detail, tolerance_m=tolerance_m)

    def crosswalk(self, a, *, b, area=None, water=None, as_of=None, recorded_before=None, as_of_b=None, format=None, safe_csv=None):
        """Compares two sets of boundaries, such as postcode areas and districts: the common area and shares of each pair."""
        return self.call("crosswalk", a=a, b=b, area=area, water=water, as_of=as_of, recorded_before=recorded_before, as_of_b=as_of_b, format=format, safe_csv=safe_csv)

    def convert_values(self, csv, *, b, id_column=None, counts=None, rates=None, as_of=None, as_of_b=None, weights=None, weights_csv=None, as_of_weights=None, format=None, safe_csv=None):
        """Moves figures from the areas of one date or kind to others: counts are split, rates averaged, totals kept."""
        return self.call("convert_values", csv=csv, b=b, id_column=id_column, counts=counts, rates=rates, as_of=as_of, as_of_b=as_of_b, weights=weights, weights_csv=weights_csv, as_of_weights=as_of_weights, format=format, safe_csv=safe_csv)

    def compare_file(self, content=None, *, encoding=None, format=None, file_id=None, id_column=None, name_column=None, layer=None, crs=None, text_encoding=None, admin_level=None):
        """Compares the areas of a file with official boundaries: which they overlap, and by how many km2."""
        return self.call("compare_file", content=content, encoding=encoding, format=format, file_id=file_id, id_column=id_column, name_column=name_column, layer=layer, crs=crs, text_encoding=text_encoding, admin_level=admin_level)

    def cover_boundaries(self, grid, *, ids=None, children_of=None, levels=None, country=None, within=None, file_id=None, set=None, kind=None, admin_level=None, resolution=None, max_cells=None, format=None, safe_csv=None):
        """The cells of H3, S2, geohashes or quadkeys that boundaries have, for joining points by equality."""
        return self.call("cover_boundaries", grid=grid, ids=ids, children_of=children_of, levels=levels, country=country, within=within, file_id=file_id, set=set, kind=kind, admin_level=admin_level, resolution=resolution, max_cells=max_cells, format=format, safe_csv=safe_csv)

    def draw_map(self, title, *, csv=None, rows=None, value=None, around=None, classes=None, colors=None, reverse=None, unit=None, source=None, labels=None, insets=None, width=None, lang=None, format=None):
        """A map of your figures: boundaries in the color of their class, with a legend, as SVG, PNG or PDF."""
        return self.call("draw_map", title=title, csv=csv, rows=rows, value=value, around=around, classes=classes, colors=colors, reverse=reverse, unit=unit, source=source, labels=labels, insets=insets, width=width, lang=lang, format=format)

    def export_boundary(self, id, *, as_of=None, recorded_before=None, format=None, detail=None, tolerance_m=None, area=None, water=None):
        """A boundary as a file: geojson, kml, wkt, svg or gml."""
        return self.call("export_boundary", id=id, as_of=as_of, recorded_before=recorded_before, format=format, detail=detail, tolerance_m=tolerance_m, area=area, water=water)

    def export_collection(self, ids=None, *, children_of=None, levels=None, country=None, within=None, file_id=None, set=None, kind=None, admin_level=None, format=None, safe_csv=None, zip_of=None, detail=None, tolerance_m=None, area=None, water=None, geometry=None, lang=None, as_of=None, recorded_before=None, names=None):
        """Many boundaries as one file, each a feature, all at one tolerance: neighbors share every vertex."""
        return self.call("export_collection", ids=ids, children_of=children_of, levels=levels, country=country, within=within, file_id=file_id, set=set, kind=kind, admin_level=admin_level, format=format, safe_csv=safe_csv, zip_of=zip_of, detail=detail, tolerance_m=tolerance_m, area=area, water=water, geometry=geometry, lang=lang, as_of=as_of, recorded_before=recorded_before, names=names)

    def list_versions(self, id, *, recorded_before=None):
        """The versions of a boundary through time: when each was in force, and what changed."""
        return self.call("list_versions", id=id, recorded_before=recorded_before)

    def list_changes(self, from_, *, to, source=None, admin_level=None, within=None, recorded_before=None, types=None, min_width_m=None, min_share=None, format=None, zip_of=None, safe_csv=None, limit=None, offset=None):
        """What changed between two dates: boundaries that were created, ended, merged, split, renamed, or moved."""
        return self.call("list_changes", **{"from": from_}, to=to, source=source, admin_level=admin_level, within=within, recorded_before=recorded_before, types=types, min_width_m=min_width_m, min_share=min_share, format=format, zip_of=zip_of, safe_csv=safe_csv, limit=limit, offset=offset)

    def get_change_feed(self, boundary=None, *, country=None, admin_level=None, before=None):
        """The newest changes of boundaries as an Atom feed (RFC 4287): an entry for each import or update."""
        return self.call("get_change_feed", boundary=boundary, country=country, admin_level=admin_level, before=before)

    def list_kinds(self, country=None):
        """The table that assigns a kind to boundaries by country and admin_level, each row with its source."""
        return self.call("list_kinds", country=country)

    def get_data_status(self, countries=None, *, editions=None):
        """What was imported from which source and when, how far map changes were applied, and what is stale."""
        return self.call("get_data_status", countries=countries, editions=editions)

    def save_file(self, boundary_id=None, *, union=None, collection=None, area=None, water=None, format=None, detail=None, name=None, follow=None, visibility=None):
        """Saves a boundary, union, collection or area in the organization's file library."""
        return self.call("save_file", boundary_id=boundary_id, union=union, collection=collection, area=area, water=water, format=format, detail=detail, name=name, follow=follow, visibility=visibility)

    def list_files(self, limit=None, *, offset=None, q=None, tag=None, sort=None, tags=None):
        """Lists the files of the library that the caller can see, newest first by default."""
        return self.call("list_files", limit=limit, offset=offset, q=q, tag=tag, sort=sort, tags=tags)

    def get_file(self, id):
        """A file of the library, with its shares for callers who can manage them."""
        return self.call("get_file", id=id)

    def update_file(self, id, *, name=None, tags=None, visibility=None, follow=None, refresh=None):
        """Renames a file of the library, changes its tags or visibility, lets it follow its boundaries, or exports it again."""
        return self.call("update_file", id=id, name=name, tags=tags, visibility=visibility, follow=follow, refresh=refresh)

    def delete_file(self, id):
        """Deletes a file of the library. Its URL stops working, and its shares end."""
        return self.call("delete_file", id=id)

    def share_file(self, id, *, team=None, user=None, link_days=None, access=None):
        """Shares a file of the library with a team or a member of the organization, or by a link that expires."""
        return self.call("share_file", id=id, team=team, user=user, link_days=link_days, access=access)

    def unshare_file(self, id, *, grant_id):
        """Removes a share or a link of a file of the library."""
        return self.call("unshare_file", id=id, grant_id=grant_id)

    def create_area_set(self, name, *, title=None, visibility=None, valid_from=None, replace=None, content=None, encoding=None, format=None, file_id=None, keep_file=None, features=None, groups=None, base=None, snap=None, snap_m=None, overlaps=None, gaps=None, id_column=None, name_column=None, layer=None, crs=None, text_encoding=None, population_column=None, kind=None, attribution=None):
        """Stores areas of your own, such as sales territories, as a set or as a new version of it."""
        return self.call("create_area_set", name=name, title=title, visibility=visibility, valid_from=valid_from, replace=replace, content=content, encoding=encoding, format=format, file_id=file_id, keep_file=keep_file, features=features, groups=groups, base=base, snap=snap, snap_m=snap_m, overlaps=overlaps, gaps=gaps, id_column=id_column, name_column=name_column, layer=layer, crs=crs, text_encoding=text_encoding, population_column=population_column, kind=kind, attribution=attribution)

    def list_area_sets(self, limit=None, *, offset=None):
        """Lists the area sets of the organization that the caller may read, by name."""
        return self.call("list_area_sets", limit=limit, offset=offset)

    def get_area_set(self, name, *, on=None):
        """An area set with its versions, the report of one, and its shares for callers who can manage them."""
        return self.call("get_area_set", name=name, on=on)

    def list_set_areas(self, name, *, on=None, members=None, limit=None, cursor=None):
        """Lists the areas of a set by id, without polygons."""
        return self.call("list_set_areas", name=name, on=on, members=members, limit=limit, cursor=cursor)

    def list_set_areas_pages(self, name, *, on=None, members=None, limit=None, cursor=None):
        """The items of all its pages."""
        return self.pages("list_set_areas", name=name, on=on, members=members, limit=limit, cursor=cursor)

    def list_set_gaps(self, name, *, on=None):
        """The gaps between the areas of a set and their overlaps, as a GeoJSON collection."""
        return self.call("list_set_gaps", name=name, on=on)

    def update_area_set(self, name, *, title=None, visibility=None):
        """Changes the title of an area set (write access) or who sees it (admin access)."""
        return self.call("update_area_set", name=name, title=title, visibility=visibility)

    def delete_area_set(self, name):
        """Deletes an area set with all its versions. The ids of its areas stop working, and its shares end."""
        return self.call("delete_area_set", name=name)

    def share_area_set(self, name, *, team=None, user=None, access=None):
        """Shares an area set with a team or a member of the organization."""
        return self.call("share_area_set", name=name, team=team, user=user, access=access)

    def unshare_area_set(self, name, *, grant_id):
        """Ends a share of an area set."""
        return self.call("unshare_area_set", name=name, grant_id=grant_id)

    def create_subscription(self, boundary=None, *, subdivisions=None, country=None, file_id=None, admin_level=None, mail=None, webhook=None):
        """Reports changes of a boundary, of what is within it, of a country or of a file, by mail or signed webhook."""
        return self.call("create_subscription", boundary=boundary, subdivisions=subdivisions, country=country, file_id=file_id, admin_level=admin_level, mail=mail, webhook=webhook)

    def list_subscriptions(self, limit=None, *, offset=None):
        """Lists the caller's subscriptions to changes, newest first; admins see those of the organization."""
        return self.call("list_subscriptions", limit=limit, offset=offset)

    def delete_subscription(self, id):
        """Deletes a subscription: no further messages are written."""
        return self.call("delete_subscription", id=id)

    def import_file(self, dry_run=None, *, file_id=None, file_name=None, format=None, recipe=None, layer=None, crs=None, text_encoding=None, options=None, accept=None):
        """Imports a file of areas as official boundaries, as a job. For operators."""
        return self.call("import_file", dry_run=dry_run, file_id=file_id, file_name=file_name, format=format, recipe=recipe, layer=layer, crs=crs, text_encoding=text_encoding, options=options, accept=accept)

    def remove_source(self, source):
        """Removes an imported source with all its boundaries, as a job. For operators."""
        return self.call("remove_source", source=source)

    def create_job(self, op, *, input, name=None, visibility=None, mail=None, webhook=None, dry_run=None):
        """Creates a job that makes a file: a collection, dissolve or crosswalk too large for one call."""
        return self.call("create_job", op=op, input=input, name=name, visibility=visibility, mail=mail, webhook=webhook, dry_run=dry_run)

    def list_jobs(self, limit=None, *, offset=None):
        """Lists the caller's jobs in the organization, newest first; admins see all of them."""
        return self.call("list_jobs", limit=limit, offset=offset)

    def get_job(self, id, *, input=None, wait=None):
        """A job: its progress, what failed, and where its file is."""
        return self.call("get_job", id=id, input=input, wait=wait)

    def cancel_job(self, id):
        """Cancels a waiting or running job: no file is made, and its units are released."""
        return self.call("cancel_job", id=id)

    def get_pricing(self):
        """Plans (monthly price, included units, rate limit) and the unit cost of each operation."""
        return self.call("get_pricing")

    def get_account(self):
        """The account of the caller, the organization it acts in and its role there."""
        return self.call("get_account")

    def get_usage(self):
        """The organization's units this calendar month: used, included, and by operation."""
        return self.call("get_usage")

    def change_plan(self, plan):
        """Returns the page where the owner of an organization pays for a plan."""
        return self.call("change_plan", plan=plan)

    def list_api_keys(self, revoked=None, *, limit=None, offset=None):
        """API keys, newest first, without their secrets: all of the organization for admins, else the caller's."""
        return self.call("list_api_keys", revoked=revoked, limit=limit, offset=offset)

    def create_api_key(self, name=None):
        """Creates an API key for the caller in the organization. The secret is shown only once, in this answer."""
        return self.call("create_api_key", name=name)

    def revoke_api_key(self, id, *, cascade=None):
        """Revokes an API key of the caller, or for admins any key of the organization; it stops working at once."""
        return self.call("revoke_api_key", id=id, cascade=cascade)

    def delete_account(self):
        """Deletes the account with its keys, sessions, memberships and the organizations where it is the only member."""
        return self.call("delete_account")

    def list_orgs(self):
        """The organizations the caller is in, their own first."""
        return self.call("list_orgs")

    def create_org(self, name, *, slug=None):
        """Creates an organization owned by the caller."""
        return self.call("create_org", name=name, slug=slug)

    def switch_org(self, org):
        """Switches the browser session to another organization of the person."""
        return self.call("switch_org", org=org)

    def get_org(self):
        """The organization in which the call acts."""
        return self.call("get_org")

    def update_org(self, name=None, *, slug=None):
        """Changes the name or the slug of the organization."""
        return self.call("update_org", name=name, slug=slug)

    def delete_org(self):
        """Deletes the organization with all its content; a personal one is deleted only with its account."""
        return self.call("delete_org")

    def list_members(self, limit=None, *, offset=None):
        """The members of the organization with their roles, longest there first."""
        return self.call("list_members", limit=limit, offset=offset)

    def update_member(self, user_id, *, role):
        """Changes the role of a member, up to your own role; the last owner must stay an owner."""
        return self.call("update_member", user_id=user_id, role=role)

    def remove_member(self, user_id):
        """Removes a member, with their keys, grants and file shares in the organization; with your own id you leave it."""
        return self.call("remove_member", user_id=user_id)

    def list_invites(self):
        """The open invitations of the organization, newest first."""
        return self.call("list_invites")

    def invite_member(self, email, *, role=None):
        """Invites someone by email; the invitation can be accepted for 7 days."""
        return self.call("invite_member", email=email, role=role)

    def revoke_invite(self, id):
        """Revokes an open invitation."""
        return self.call("revoke_invite", id=id)

    def accept_invite(self, token):
        """Accepts an invitation that was sent to the address of the caller."""
        return self.call("accept_invite", token=token)

    def list_teams(self):
        """The teams of the organization with their members, by name."""
        return self.call("list_teams")

    def create_team(self, name, *, slug=None):
        """Creates a team in the organization; without a slug it gets one made from its name."""
        return self.call("create_team", name=name, slug=slug)

    def update_team(self, team, *, name=None, slug=None):
        """Changes the name or the slug of a team."""
        return self.call("update_team", team=team, name=name, slug=slug)

    def delete_team(self, team):
        """Deletes a team; its members stay in the organization."""
        return self.call("delete_team", team=team)

    def add_team_member(self, team, *, user_id):
        """Adds a member of the organization to a team."""
        return self.call("add_team_member", team=team, user_id=user_id)

    def remove_team_member(self, team, *, user_id):
        """Removes a member from a team."""
        return self.call("remove_team_member", team=team, user_id=user_id)

    def list_audit_log(self, limit=None, *, offset=None, action=None):
        """The organization's audit log, newest first: who changed what, and when."""
        return self.call("list_audit_log", limit=limit, offset=offset, action=action)

    def list_oauth_grants(self):
        """The applications that may act for the caller in the organization, newest first."""
        return self.call("list_oauth_grants")

    def revoke_oauth_grant(self, id):
        """Revokes the access of an application for the caller; its tokens stop working at once."""
        return self.call("revoke_oauth_grant", id=id)

    def list_feedback(self, kind=None, *, status=None, sort=None, q=None, mine=None, as_of=None, limit=None, offset=None):
        """Lists feature requests and issue reports with status and upvotes."""
        return self.call("list_feedback", kind=kind, status=status, sort=sort, q=q, mine=mine, as_of=as_of, limit=limit, offset=offset)

    def get_feedback(self, id, *, limit=None, offset=None):
        """A feedback item with its comments, oldest first, and the statuses it went through."""
        return self.call("get_feedback", id=id, limit=limit, offset=offset)

    def request_feature(self, title, *, details=None):
        """Files a feature request on the public board and upvotes it for the caller."""
        return self.call("request_feature", title=title, details=details)

    def report_issue(self, title, *, details=None):
        """Reports an issue on the public board and upvotes it for the caller."""
        return self.call("report_issue", title=title, details=details)

    def upvote_feedback(self, id):
        """Votes for a feedback item."""
        return self.call("upvote_feedback", id=id)

    def remove_feedback_vote(self, id):
        """Withdraws the vote for a feedback item."""
        return self.call("remove_feedback_vote", id=id)

    def comment_on_feedback(self, id, *, body):
        """Adds a comment to a feature request or issue report."""
        return self.call("comment_on_feedback", id=id, body=body)

    def set_feedback_status(self, id, *, status, duplicate_of=None):
        """Moves a feedback item to another status."""
        return self.call("set_feedback_status", id=id, status=status, duplicate_of=duplicate_of)

    def list_reviews(self, sort=None, *, rating=None, state=None, limit=None, offset=None):
        """Published reviews with the average rating, the distribution and the responses."""
        return self.call("list_reviews", sort=sort, rating=rating, state=state, limit=limit, offset=offset)

    def submit_review(self, rating, *, title=None, body=None, likes=None, dislikes=None, use_case=None, display_name=None, display_company=None, marketing_consent=None):
        """Posts the caller's public review, or replaces the existing one."""
        return self.call("submit_review", rating=rating, title=title, body=body, likes=likes, dislikes=dislikes, use_case=use_case, display_name=display_name, display_company=display_company, marketing_consent=marketing_consent)

    def get_own_review(self, limit=None, *, offset=None):
        """The caller's review: its newest version, whether it is published, and earlier versions."""
        return self.call("get_own_review", limit=limit, offset=offset)

    def respond_to_review(self, id, *, body):
        """Sets the response listed under a review; an empty one removes it."""
        return self.call("respond_to_review", id=id, body=body)

    def publish_review(self, id, *, expected_version=None):
        """Publishes the newest version of a review that waits."""
        return self.call("publish_review", id=id, expected_version=expected_version)
