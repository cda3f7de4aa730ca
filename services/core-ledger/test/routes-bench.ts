// What the acts of routes-model.ts are carried out on: a ledger whose worker the test calls, with a wallet service that does
// what the test says.
import type { ConfirmedDeposit, ConfirmedMovement } from '@bursar/contracts/blockchain'
import { formatAmount } from '@bursar/money'
import { executionQueue, retryTuning } from '../src/movements/execution-queue'
import { retryWaiting } from '../src/portfolios/movements.consumer'
import { completions, withdrawals } from '../src/withdrawals/attempts'
import { createOwners } from '../src/withdrawals/owners'
import { rememberedMarks } from '../src/withdrawals/refresh-account'
import { fakeWallet } from './execution-wallet'
import { openLedger } from './harness'
import { testOwners } from './owners'
import { makeAsset } from './steps'

export type RoutesBench = Awaited<ReturnType<typeof openRoutes>>

export async function openRoutes() {
  const clock = { now: new Date('2026-03-01T12:00:00.000Z') }
  const wallet = fakeWallet()
  wallet.otherwise('accepted')
  const owners = testOwners()
  const ledger = await openLedger({ owners, urls: { wallet: wallet.server.url }, tuning: { now: () => clock.now } })
  const { store, client, log } = ledger.deps
  const queue = executionQueue()
  const settling = { store, now: () => clock.now, retry: retryTuning, queue }
  const owned = { owners: createOwners(client), marks: rememberedMarks(store) }
  const lanes = { ledger: completions(owned, settling), chain: withdrawals({ client, log, ...owned }, settling, 16) }
  return {
    ledger,
    wallet,
    clock,
    /** One attempt at all that waits: at what the wallet service has before what it gets. */
    async work(): Promise<void> {
      for (const lane of ['ledger', 'chain'] as const) {
        const rows = await queue.claim(store, { now: clock.now, lane, limit: 1000 })
        await lanes[lane](rows.filter(({ acceptedAt }) => acceptedAt !== null))
        await lanes[lane](rows.filter(({ acceptedAt }) => acceptedAt === null))
      }
      await retryWaiting(ledger.deps)
    },
    async close(): Promise<void> {
      await ledger.close()
      await Promise.all([wallet.server.stop(), owners.stop()])
    },
  }
}

/** Amounts are halves of a unit of 6 decimals. */
export const minor = (halves: number): bigint => BigInt(halves) * 500_000n
export const text = (halves: number): string => formatAmount(minor(halves), 6)
export const newHash = (): string => `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`

/** One sequence's share of the ledger: an institution with an asset and an account of each kind. */
export interface Play extends RoutesBench {
  participantId: string
  asset: { id: string; code: string; address: string }
  accounts: readonly string[]
  /** Those of its transactions, in the model's order. */
  ids: string[]
  /** What chains have told, as they told it last. */
  arrived: Map<string, ConfirmedDeposit>
  moved: ConfirmedMovement[]
}

export async function openPlay(bench: RoutesBench): Promise<Play> {
  const { ledger } = bench
  const participantId = Bun.randomUUIDv7()
  const address = newHash().slice(0, 42)
  const code = `HALF${address.slice(2, 10).toUpperCase()}`
  const asset = { id: await makeAsset(ledger, { address, code }), code, address }
  const accounts = [
    await ledger.account({ participantId }),
    await ledger.account({ participantId }),
    await ledger.account({ type: 'OMNIBUS', customerId: null, participantId }),
    await ledger.account({ type: 'PORTFOLIO', participantId }),
  ].map(({ id }) => id)
  return { ...bench, participantId, asset, accounts, ids: [], arrived: new Map(), moved: [] }
}
