-- params: nothing; returns: the number of the state of the boundaries; every transaction that changes them raises it
select (select base from data_revision) + (select count(*) from data_change) as revision
