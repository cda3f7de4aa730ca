// Withdrawals on a stack of services of money on a chain: what they need, and how they are made.
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { until } from '@bursar/testing'
import type { Stack } from '../faults/chains-stack'

const to = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'

export interface Transaction {
  id: string
  type: string
  status: string
}

export interface Setting {
  env?: Record<string, string>
  /** Whose withdrawals they are. */
  accounts?: number
  fund: (stack: Stack, address: string) => Promise<unknown>
}

/** Coins of the simulated network. */
export const payIn: Setting['fund'] = (stack, address) =>
  stack.ask('blockchain', 'POST', '/simulated/ethereum/deposits', { address, asset: 'ETH', amount: '1000000' })

/** An asset and funded accounts, and what pays from them. */
export async function setting(stack: Stack, { accounts = 1, fund }: Setting) {
  const ledger = ledgerOf(stack)
  const approve = (id: string) => ledger('POST', '/transactions/complete-screening', { id, isApproved: true })
  const asset = { code: 'ETH', name: 'Ether', decimalPlaces: 18, network: 'ethereum', address: 'native' }
  const { id: assetId } = await ledger<{ id: string }>('POST', '/assets', asset)
  const accountIds = await fundedAccounts(stack, accounts, fund)
  const withdraw = async (i: number) => {
    const body = { network: 'ethereum', assetId, amount: '0.5', destinationAddress: to }
    const answer = await ledger<{ id: string }>('POST', '/transactions/withdrawal', {
      ...body,
      accountId: accountIds[i % accounts],
    })
    return answer.id
  }
  let paid = 0
  /** Approved side by side; resolves when all are completed. */
  const payAll = async (count: number) => {
    await side(64, count, async (i) => void (await approve(await withdraw(i))))
    await allCompleted(stack, paid, count)
    paid += count
  }
  return { ledger, approve, withdraw, payAll }
}

function ledgerOf(stack: Stack) {
  return <Body>(method: string, path: string, body?: unknown) =>
    stack.ask<Body>('core-ledger', method, path, body).then((answer) => answer.body)
}

/** Accounts of a customer each, with a wallet and money that has arrived. */
async function fundedAccounts(stack: Stack, count: number, fund: Setting['fund']): Promise<string[]> {
  const ids = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const { body: customer } = await stack.ask('customer', 'POST', '/customers', {
        externalId: `${i}`,
        status: 'active',
      })
      const account = { type: 'STABLECOINS', status: 'active', name: 'Main', customerId: customer.id }
      const { body: made } = await stack.ask('account', 'POST', '/accounts', account)
      const path = `/wallets/account/${made.id}/network/ethereum?createIfNotExists=true`
      const { body: wallet } = await stack.ask('wallet', 'GET', path)
      await fund(stack, wallet.address)
      return made.id as string
    }),
  )
  const ledger = ledgerOf(stack)
  const completed = await until(
    async () => {
      const deposits = (await ledger<Transaction[]>('GET', `/transactions?limit=${2 * count}`)).filter(
        ({ type }) => type === 'DEPOSIT',
      )
      for (const { id, status } of deposits) {
        if (status === 'PENDING') await ledger('POST', '/transactions/complete-screening', { id, isApproved: true })
      }
      return deposits.filter(({ status }) => status === 'COMPLETED').length === count
    },
    { what: 'the deposits', timeoutMs: 60_000 },
  )
  return completed ? ids : []
}

/** The withdrawals of the ledger once all are completed; read from its file, for to ask it would be work for it. */
export async function allCompleted(
  { dataDir }: Stack,
  before: number,
  count: number,
): Promise<{ id: string; at: number }[]> {
  const database = new Database(join(dataDir, 'core.sqlite'), { readonly: true })
  const where = "FROM transactions WHERE type = 'WITHDRAWAL' AND status = 'COMPLETED'"
  const counted = database.query(`SELECT count(*) AS n ${where}`)
  await until(() => (counted.get() as { n: number }).n === before + count, {
    what: 'all withdrawals to be completed',
    timeoutMs: 300_000,
  })
  const all = database.query(`SELECT id, updated_at AS at ${where} ORDER BY at LIMIT -1 OFFSET ${before}`).all() as {
    id: string
    at: number
  }[]
  database.close()
  return all
}

/** Does it so many times, some side by side. */
export async function side(lanes: number, count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
