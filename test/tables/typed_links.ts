import type { Queryable } from '../../src/db/connect.ts';

/** The letters of Italian provinces with the first digits of the codes of their comuni (ISTAT). */
const PROVINCES =
  'AG084 AN042 AO007 AP044 AQ066 AR051 AV064 BA072 BL025 BN062 BO037 BR074 BT110 BZ021 CA092 CB070 CE061 CH069 CL085 CS078 CT087 CZ079 EN086 FC040 FE038 FG071 FI048 FM109 FR060 GE010 GO031 GR053 IM008 IS094 KR101 LE075 LI049 LT059 LU046 MC043 ME083 MO036 MS045 MT077 NA063 NU091 OR095 PA082 PC033 PD028 PE068 PG054 PI050 PN093 PO100 PR034 PT047 PU041 PZ076 RA039 RC080 RE035 RG088 RI057 RM058 RN099 RO029 SA065 SI052 SP011 SR089 SS090 SU111 SV009 TA073 TE067 TN022 TP081 TR055 TS032 TV026 UD030 VE027 VI024 VR023 VT056 VV102';

/** Puts the communes of France and the comuni of Italy, which the files have in their country alone, into their districts. */
export async function putInDistricts(db: Queryable): Promise<void> {
  const pairs = PROVINCES.split(' ').map((one) => [one.slice(2), `IT-${one.slice(0, 2)}`]);
  await db.query(
    `insert into boundary_parent (child, parent, share, position)
     select c.id, d.id, 1, 1 from boundary c
     join boundary d on d.country = c.country and d.admin_level = 6
     left join jsonb_to_recordset($1::jsonb) as p (istat text, iso text) on p.iso = d.iso
     where c.admin_level = 8 and (c.country = 'FR' and left(c.codes[1], 2) = d.codes[1]
       or c.country = 'IT' and left(c.codes[1], 3) = p.istat)
     on conflict do nothing`,
    [JSON.stringify(pairs.map(([istat, iso]) => ({ istat, iso })))],
  );
}
