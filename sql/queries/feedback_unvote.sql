-- params: $1 item, $2 account; returns: a row when there was a vote
delete from feedback_vote where item = $1 and account = $2 returning item
