-- params: nothing; returns: nothing. Minutes that are over are forgotten.
delete from rate_window where minute < floor(extract(epoch from now()) / 60) - 1
