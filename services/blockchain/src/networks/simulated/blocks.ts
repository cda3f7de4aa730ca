import { comparableAddress } from '@bursar/contracts/address'
import {
  and,
  asc,
  between,
  byKey,
  type Db,
  desc,
  eq,
  inArray,
  insertAll,
  insertInto,
  param,
  prepared,
  queryAmong,
  type Tx,
  upsertInto,
} from '@bursar/store'
import { tokenKey } from '../comparable'
import { hashText } from '../forms'
import type { NetworkSettings } from '../network'
import { simulatedBalances, simulatedBlocks, simulatedNonces, simulatedTransactions } from './simulated.table'

export type SimulatedTransaction = typeof simulatedTransactions.$inferSelect
type SimulatedBlock = typeof simulatedBlocks.$inferSelect

/** A movement in a block. `nonce` is null for a pay-in without a source, which needs no balance. */
export interface Movement {
  txHash: string
  fromAddress: string
  toAddress: string
  contractAddress: string | null
  amount: bigint
  nonce: number | null
}

/**
 * Adds a block with these movements, in order. One whose sender has too little is recorded as failed. No block is older
 * than the previous one, as on any chain: a clock that was set back cannot make a deposit older than its address.
 */
export async function addBlock(
  tx: Tx,
  network: NetworkSettings,
  movements: readonly Movement[],
  at: Date,
): Promise<number> {
  const [head] = await newestBlock(tx).execute({ network: network.name })
  const number = (head?.number ?? 0) + 1
  const parentHash = head?.hash ?? hashText('evm', network.name)
  const hash = hashText('evm', `${network.name} ${number} ${parentHash}`)
  const time = head && head.at > at ? head.at : at
  await insertBlock(tx).execute({ network: network.name, number, hash, parentHash, at: time })
  const state = stateOf(tx, network.name)
  const mined = []
  for (const movement of movements) {
    mined.push({ ...movement, network: network.name, block: number, failure: await moved(state, movement) })
  }
  await insertTransactions(tx, mined)
  await state.write()
  return number
}

type State = ReturnType<typeof stateOf>

/** Balances and nonces while a block is added: each is read and written once, however many movements change it. */
function stateOf(tx: Tx, network: string) {
  const balances = new Map<string, { address: string; token: string; amount: bigint; before: bigint }>()
  const nonces = new Map<string, number>()
  return {
    nonces,
    async balance(address: string, token: string) {
      const key = `${address} ${token}`
      const known = balances.get(key)
      if (known) return known
      const before = await balanceOf(tx, network, address, token)
      const balance = { address, token, amount: before, before }
      balances.set(key, balance)
      return balance
    },
    async write() {
      for (const { address, token, amount, before } of balances.values()) {
        if (amount !== before) await putBalance(tx).execute({ network, address, token, amount })
      }
      for (const [address, nonce] of nonces) await putNonce(tx).execute({ network, address, nonce })
    },
  }
}

/** Moves the amount; says why when it could not. */
async function moved(state: State, movement: Movement): Promise<string | null> {
  const { fromAddress, toAddress, contractAddress, amount, nonce } = movement
  const token = tokenKey(contractAddress)
  if (nonce !== null) {
    const address = comparableAddress(fromAddress)
    state.nonces.set(address, nonce + 1)
    const from = await state.balance(address, token)
    if (from.amount < amount) return 'insufficient balance'
    from.amount -= amount
  }
  const to = await state.balance(comparableAddress(toAddress), token)
  to.amount += amount
  return null
}

export async function balanceOf(db: Db, network: string, address: string, token: string): Promise<bigint> {
  const [row] = await oneBalance(db).execute({ network, address, token })
  return row?.amount ?? 0n
}

/** How many transactions the (comparable) address has sent. */
export async function nonceOf(db: Db, network: string, address: string): Promise<number> {
  const [row] = await oneNonce(db).execute({ network, address })
  return row?.nonce ?? 0
}

export async function headOf(db: Db, network: string): Promise<number> {
  const [head] = await newestBlock(db).execute({ network })
  return head?.number ?? 0
}

export async function findBlock(db: Db, network: string, number: number): Promise<SimulatedBlock | null> {
  const [row] = await blockByNumber(db).execute({ network, number })
  return row ?? null
}

/** Those of the hashes that are in blocks, by their hash. */
export async function findTransactions(
  db: Db,
  network: string,
  hashes: readonly string[],
): Promise<Map<string, SimulatedTransaction>> {
  const rows = await transactionsByHash(db, hashes, { network })
  return new Map(rows.map((row) => [row.txHash, row]))
}

export const readBlocks = (db: Db, network: string, from: number, to: number): Promise<SimulatedBlock[]> =>
  blocksBetween(db).execute({ network, from, to })

export const readTransactions = (db: Db, network: string, from: number, to: number): Promise<SimulatedTransaction[]> =>
  transactionsBetween(db).execute({ network, from, to })

export const readBalances = (db: Db, network: string, address: string) => balancesOf(db).execute({ network, address })

/** The simulated networks on which an address has or had a balance. */
export async function networksHolding(db: Db, address: string): Promise<string[]> {
  return (await networksOf(db).execute({ address: comparableAddress(address) })).map(({ network }) => network)
}

/** The simulated networks with a transaction of this hash. */
export async function networksKnowing(db: Db, txHash: string): Promise<string[]> {
  return (await transactionsOfHash(db).execute({ txHash })).map(({ network }) => network)
}

const newestBlock = prepared((db) =>
  db
    .select()
    .from(simulatedBlocks)
    .where(eq(simulatedBlocks.network, param('network')))
    .orderBy(desc(simulatedBlocks.number))
    .limit(1),
)
const insertBlock = insertInto(simulatedBlocks)
const insertTransactions = insertAll(simulatedTransactions)
const oneBalance = byKey(simulatedBalances, 'network', {
  only: and(eq(simulatedBalances.address, param('address')), eq(simulatedBalances.token, param('token'))),
})
const balancesOf = byKey(simulatedBalances, 'network', { only: eq(simulatedBalances.address, param('address')) })
const networksOf = prepared((db) =>
  db
    .selectDistinct({ network: simulatedBalances.network })
    .from(simulatedBalances)
    .where(eq(simulatedBalances.address, param('address'))),
)
const putBalance = upsertInto(simulatedBalances, ['network', 'address', 'token'], ['amount'])
const oneNonce = byKey(simulatedNonces, 'network', { only: eq(simulatedNonces.address, param('address')) })
const putNonce = upsertInto(simulatedNonces, ['network', 'address'], ['nonce'])
const blockByNumber = byKey(simulatedBlocks, 'network', { only: eq(simulatedBlocks.number, param('number')) })
const transactionsByHash = queryAmong(
  (hashes) => (db) =>
    db
      .select()
      .from(simulatedTransactions)
      .where(and(eq(simulatedTransactions.network, param('network')), inArray(simulatedTransactions.txHash, hashes))),
)
const transactionsOfHash = byKey(simulatedTransactions, 'txHash')
const blocksBetween = prepared((db) =>
  db
    .select()
    .from(simulatedBlocks)
    .where(
      and(eq(simulatedBlocks.network, param('network')), between(simulatedBlocks.number, param('from'), param('to'))),
    )
    .orderBy(asc(simulatedBlocks.number)),
)
const transactionsBetween = prepared((db) =>
  db
    .select()
    .from(simulatedTransactions)
    .where(
      and(
        eq(simulatedTransactions.network, param('network')),
        between(simulatedTransactions.block, param('from'), param('to')),
      ),
    )
    .orderBy(asc(simulatedTransactions.block)),
)
