import { comparableAddress } from '@bursar/contracts/address'
import { and, type Db, eq, inArray, isNotNull, isNull, param, prepared, queryAmong, sql } from '@bursar/store'
import { movements } from '../movements/movements.table'
import { transfers } from './transfers.table'

/** The maximum per address, since anybody can send worthless tokens. */
const most = 50

/** The contracts of unregistered tokens that were received at addresses, by their comparable form. */
export async function unknownTokensAt(
  db: Db,
  network: string,
  addresses: readonly string[],
): Promise<Map<string, string[]>> {
  const keys = [...new Set(addresses.map(comparableAddress))]
  const came = await unknownTransfers(db, keys, { network })
  const moved = await unknownMovements(db).execute({ network })
  const found = [...came, ...moved.map(({ address, ...rest }) => ({ key: comparableAddress(address), ...rest }))]
  const byKey = Map.groupBy(found, ({ key }) => key)
  return new Map(
    keys.map((key) => {
      const contracts = (byKey.get(key) ?? []).flatMap(({ contractAddress }) => contractAddress ?? [])
      return [key, [...new Set(contracts)].slice(0, most)]
    }),
  )
}

const unknownTransfers = queryAmong(
  (keys) => (db) =>
    db
      .selectDistinct({ key: transfers.toKey, contractAddress: transfers.contractAddress })
      .from(transfers)
      .where(
        and(
          eq(transfers.network, param('network')),
          // Must equal the condition of the partial index.
          sql`${transfers.status} = 'unknown_token'`,
          inArray(transfers.toKey, keys),
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
