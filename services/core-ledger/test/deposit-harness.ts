// What the tests of one deposit for one transfer share: a ledger, the blockchain service as it asks it, and the ways a
// deposit comes.
import { afterEach, beforeEach } from 'bun:test'
import {
  type ConfirmedDeposit,
  DepositConfirmed,
  DepositReversed,
  type KnownTransfer,
} from '@bursar/contracts/blockchain'
import type { ServiceName } from '@bursar/contracts/services'
import { type LocalServer, localServer } from '@bursar/testing'
import { unmatchedDeposits } from '../src/deposits/unmatched-deposits.table'
import { type Ledger, openLedger } from './harness'
import { type Bench, complete, depositOf, makeAsset, outside, screen, type Tx } from './steps'

export const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
export const txHash = `0x${'ab'.repeat(32)}`

/** The blockchain service, as far as the ledger asks it. */
export let chain: LocalServer
/** What it says of a transaction's transfers, and of all deposits. */
export let says: { known: KnownTransfer[] | null; listed: ConfirmedDeposit[] }
export let ledger: Ledger
export let bench: Bench

/** Each test of the file gets these anew. */
export function eachWithChain(): void {
  beforeEach(async () => {
    says = { known: [], listed: [] }
    chain = localServer(async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname.endsWith('/networks')) {
        return Response.json([{ name: 'ethereum', kind: 'evm', chainId: 1, nativeCode: 'ETH', nativeDecimals: 18 }])
      }
      // Of the wallet service: the sources are not ours.
      if (pathname.startsWith('/internal/addresses/')) return Response.json({ isOwn: false })
      if (pathname.endsWith('/transfers/known')) {
        const { items } = (await request.json()) as { items: unknown[] }
        return Response.json({ items: items.map(() => says.known) })
      }
      const after = Number(searchParams.get('after'))
      const items = says.listed
        .map((record, i) => ({ version: i + 1, record }))
        .filter(({ version }) => version > after)
      return Response.json({ epoch: 7, items, more: false })
    })
    await open()
  })
  afterEach(async () => {
    await ledger.close()
    await chain.stop()
  })
}

export async function open(
  env: Record<string, string> = {},
  urls: Partial<Record<ServiceName, string>> = { blockchain: chain.url, wallet: chain.url },
  now: () => Date = () => new Date(),
): Promise<void> {
  await ledger?.close()
  ledger = await openLedger({ env, urls, tuning: { now } })
  bench = { assetId: await makeAsset(ledger, { address: contract }), ...(await owner()) }
}
export const owner = async () => {
  const { id: accountId, customerId } = await ledger.account()
  return { accountId, customerId }
}

export const seen = (fields: Partial<ConfirmedDeposit> = {}): ConfirmedDeposit => ({
  id: Bun.randomUUIDv7(),
  network: 'ethereum',
  txHash,
  logIndex: 3,
  accountId: bench.accountId,
  address: outside,
  sourceAddress: outside,
  contractAddress: contract,
  amount: '1500000',
  decimals: 6,
  confirmedAt: '2026-01-01T00:00:00.000Z',
  reversedAt: null,
  ...fields,
})
const send = (event: typeof DepositConfirmed | typeof DepositReversed, data: ConfirmedDeposit) =>
  ledger.consume({
    id: Bun.randomUUIDv7(),
    name: event.name,
    type: event.type,
    timestamp: data.confirmedAt,
    requestId: null,
    service: 'blockchain',
    data,
  })
export const deliver = (fields: Partial<ConfirmedDeposit> = {}) => send(DepositConfirmed, seen(fields))
export const reverse = (fields: Partial<ConfirmedDeposit> = {}) =>
  send(DepositReversed, seen({ reversedAt: '2026-01-02T00:00:00.000Z', ...fields }))
export const byHand = (fields: object = {}, amount = '1.5') =>
  ledger.ask<Tx>('POST', '/transactions/deposit', depositOf(bench, amount, { txHash, ...fields }))
export const recorded = async () => (await ledger.ask<Tx[]>('GET', '/transactions')).body
export const unmatched = async () =>
  (await ledger.store.read.select().from(unmatchedDeposits)).map(({ reason }) => reason)
export const credit = async (id: string) => {
  await screen(ledger, id, true)
  return await complete(ledger, id)
}
