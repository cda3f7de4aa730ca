import { comparableAddress } from '@bursar/contracts/address'
import { and, type Db, eq, isNotNull, isNull, param, prepared, sql } from '@bursar/store'
import { movements } from '../movements/movements.table'
import { transfers } from './transfers.table'

/** The maximum per address, since anybody can send worthless tokens. */
const most = 50

/** The contracts of unregistered tokens that were received at an address. */
export async function unknownTokensAt(db: Db, network: string, address: string): Promise<string[]> {
  const key = comparableAddress(address)
  const came = await unknownTransfers(db).execute({ network, key })
  const moved = await unknownMovements(db).execute({ network })
  const own = moved.filter((each) => comparableAddress(each.address) === key)
  const contracts = [...came, ...own].flatMap(({ contractAddress }) => contractAddress ?? [])
  return [...new Set(contracts)].slice(0, most)
}

const unknownTransfers = prepared((db) =>
  db
    .selectDistinct({ contractAddress: transfers.contractAddress })
    .from(transfers)
    .where(
      and(
        eq(transfers.network, param('network')),
        // Must equal the condition of the partial index.
        sql`${transfers.status} = 'unknown_token'`,
        eq(transfers.toKey, param('key')),
      ),
    ),
)
const unknownMovements = prepared((db) =>
  db
    .selectDistinct({ contractAddress: movements.contractAddress, address: movements.address })
    .from(movements)
    .where(
      and(
        eq(movements.network, param('network')),
        isNull(movements.confirmedAt),
        isNull(movements.decimals),
        isNotNull(movements.contractAddress),
      ),
    ),
)
