import type { ConfirmedMovement } from '@bursar/contracts/blockchain'
import { getKnownOrders } from '@bursar/contracts/wallet'
import { type Client, ifCallFails } from '@bursar/http'
import type { Db } from '@bursar/store'
import { executingType, findStanding } from '../accounts/accounts'
import { withdrawalOf } from './own-withdrawals'

type Movement = Pick<ConfirmedMovement, 'kind' | 'accountId' | 'orderId'>

/**
 * The owner of a movement. For a payment it is that of its order, here or at the wallet service, and not of the
 * address, because one address pays for many accounts. Null while it is unknown.
 */
export async function findOwner(
  { db, client }: { db: Db; client: Client },
  movement: Movement,
): Promise<string | null> {
  const { orderId } = movement
  const here = await ownerHere(db, movement)
  if (here !== null || orderId === null || movement.kind !== 'out') return here
  const orders = await ifCallFails(client.call(getKnownOrders, { body: { items: [orderId] } }), () => null)
  return orders?.items[0]?.accountId ?? null
}

/** The same, from the ledger's own records only. */
export async function ownerHere(db: Db, { kind, accountId, orderId }: Movement): Promise<string | null> {
  if (kind !== 'out') return accountId
  if (accountId !== null && (await findStanding(db, accountId))?.type === executingType) return accountId
  return orderId === null ? null : ((await withdrawalOf(db, orderId))?.accountId ?? null)
}
