import { about, oneOf, type Static, t, uuid } from '@bursar/contracts/schema'
import { and, type Db, eq, isNull, param, prepared } from '@bursar/store'
import { custodianStatuses } from '../custodian-banks/custodian-banks.model'
import { custodianBanks } from '../custodian-banks/custodian-banks.table'

export type CustodianBankRow = typeof custodianBanks.$inferSelect

export const CustodianBank = t.Object(
  {
    id: uuid(),
    name: t.String(),
    country: about('ISO 3166-1', t.String()),
    services: about('What it offers', t.Array(t.String())),
    status: about('Whether it takes new accounts', oneOf(custodianStatuses)),
  },
  { title: 'CustodianBank' },
)

export const toCustodianBank = ({
  id,
  name,
  country,
  services,
  status,
}: CustodianBankRow): Static<typeof CustodianBank> => ({
  id,
  name,
  country,
  services,
  status,
})

/** A custodian bank that was not deleted; undefined when there is none. */
export async function findCustodianBank(db: Db, id: string): Promise<CustodianBankRow | undefined> {
  const [row] = await bankById(db).execute({ id })
  return row
}

const bankById = prepared((db) =>
  db
    .select()
    .from(custodianBanks)
    .where(and(eq(custodianBanks.id, param('id')), isNull(custodianBanks.deletedAt))),
)
