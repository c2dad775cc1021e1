-- params: nothing; returns: nothing. Items come to be one after the other, so that what a reader has seen is never joined by something older.
select pg_advisory_xact_lock(hashtext('feedback_item'))
