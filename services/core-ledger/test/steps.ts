import type { LogWording } from '@bursar/contracts/event'
import { eventCatalogue } from '@bursar/contracts/events'
import { listShortfalls, type Shortfall } from '../src/movements/shortfalls'
import { completeTransaction, failTransaction } from './ends'
import type { Ledger } from './harness'

/** An address that Ethereum takes: lower case, so without a checksum. */
export const outside = '0x742d35cc6634c0532925a3b844bc454e4438f44e'

/** A transaction as the service form answers it. */
export interface Tx {
  id: string
  status: string
  [field: string]: unknown
}

/** What money is moved with in a test: an asset of 6 decimals and an account. */
export interface Bench {
  assetId: string
  accountId: string
  customerId: string
}

let codes = 0

/** Makes an asset with a code and a contract of its own. */
export async function makeAsset(ledger: Ledger, fields: object = {}): Promise<string> {
  codes += 1
  const address = `0x${codes.toString(16).padStart(40, '0')}`
  const asset = { code: `USD${codes}`, name: 'A dollar', decimalPlaces: 6, address, network: 'ethereum' }
  const { status, body } = await ledger.ask<{ id: string }>('POST', '/assets', { ...asset, ...fields })
  if (status !== 201) throw new Error(`asset: ${status} ${JSON.stringify(body)}`)
  return body.id
}

/** An asset and an account that has this much of it. */
export async function makeBench(ledger: Ledger, amount = '100'): Promise<Bench> {
  const assetId = await makeAsset(ledger)
  const { id: accountId, customerId } = await ledger.account()
  const bench = { assetId, accountId, customerId }
  if (amount !== '0') await pay(ledger, bench, amount)
  return bench
}

/** The body of a withdrawal. */
export const withdrawalOf = ({ accountId, assetId }: Bench, amount = '1', fields: object = {}) => ({
  accountId,
  assetId,
  network: 'ethereum',
  amount,
  destinationAddress: outside,
  ...fields,
})

/** The body of a deposit, from an on-chain transaction of its own. */
export const depositOf = ({ accountId, assetId }: Bench, amount = '1', fields: object = {}) => ({
  accountId,
  assetId,
  network: 'ethereum',
  amount,
  sourceAddress: outside,
  txHash: `0x${crypto.randomUUID().replaceAll('-', '')}`,
  ...fields,
})

/** Makes a transaction by its route and answers it; throws when it is refused. */
export async function make(ledger: Ledger, kind: 'withdrawal' | 'deposit' | 'transfer', body: object): Promise<Tx> {
  const made = await ledger.ask<Tx>('POST', `/transactions/${kind}`, body)
  if (made.status !== 201) throw new Error(`${kind}: ${made.status} ${JSON.stringify(made.body)}`)
  return made.body
}

export const screen = (ledger: Ledger, id: string, isApproved: boolean, screeningData?: object) =>
  ledger.ask('POST', '/transactions/complete-screening', { id, isApproved, screeningData })

/** What the worker does once an approved transaction is carried out. */
export const complete = (ledger: Ledger, id: string, txHash?: string) =>
  ledger.store.commit((tx) => completeTransaction(tx, id, { txHash, at: new Date() }))

export const failIt = (ledger: Ledger, id: string, reason: string) =>
  ledger.store.commit((tx) => failTransaction(tx, id, reason, new Date()))

/** Pays an amount in, to the end. */
export async function pay(ledger: Ledger, bench: Bench, amount: string): Promise<Tx> {
  const deposit = await make(ledger, 'deposit', depositOf(bench, amount))
  await screen(ledger, deposit.id, true)
  await complete(ledger, deposit.id)
  return deposit
}

/** What withdrawals of an account's asset wait for; null for nothing. */
export async function shortfallOf(ledger: Ledger, accountId: string, assetId: string): Promise<Shortfall | null> {
  const open = await listShortfalls(ledger.store.read)
  const ofAsset = open.filter((each) => each.assetId === assetId)
  return ofAsset.find((each) => each.accountId === null || each.accountId === accountId) ?? null
}

/** A deposit that a reviewer has rejected: it is in suspense. */
export async function rejectedDeposit(ledger: Ledger, bench: Bench, amount = '7'): Promise<string> {
  const { id } = await make(ledger, 'deposit', depositOf(bench, amount))
  await screen(ledger, id, false)
  await ledger.ask('POST', `/transactions/${id}/reject-frozen-deposit`, { reason: 'Unclear' })
  return id
}

export const getTransaction = async (ledger: Ledger, id: string): Promise<Tx> =>
  (await ledger.ask<Tx>('GET', `/transactions/${id}`)).body

/** `[available, frozen, total]` of the account in the asset. */
export async function balanceOf(ledger: Ledger, { accountId, assetId }: Bench): Promise<string[]> {
  const { body } = await ledger.ask<Record<string, string>[]>(
    'GET',
    `/balances/account/${accountId}?filter[assetId]=${assetId}`,
  )
  const [row] = body
  return row ? [row.availableBalance ?? '', row.frozenBalance ?? '', row.totalBalance ?? ''] : []
}

/** The lines that the tracker makes of what was published. */
export async function trackerLines(ledger: Ledger): Promise<LogWording[]> {
  const events = await ledger.events()
  return events.flatMap(({ name, data }) => eventCatalogue.get(name)?.log?.(data as never) ?? [])
}

/** An account and its customer, for a Bench. */
export async function owner(ledger: Ledger): Promise<Pick<Bench, 'accountId' | 'customerId'>> {
  const { id: accountId, customerId } = await ledger.account()
  return { accountId, customerId }
}

/** `[decision, who, note]` of each decision about a transaction; null for a caller that proved nothing. */
export const decisionsOf = async (ledger: Ledger, id: string) =>
  (
    await ledger.ask<{ decision: string; actor: { id: string } | null; note: string | null }[]>(
      'GET',
      `/transactions/${id}/decisions`,
    )
  ).body.map(({ decision, actor, note }) => [decision, actor?.id ?? null, note])
