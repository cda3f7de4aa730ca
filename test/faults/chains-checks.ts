// What must hold once all movements of test/faults/chains-run.ts have ended.
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { until } from '@bursar/testing'
import type { Stack } from './chains-stack'

export const coins = [
  { network: 'polygon', code: 'POL', decimals: 18, address: 'native' },
  { network: 'polygon', code: 'USDC', decimals: 6, address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' },
  { network: 'base', code: 'ETH', decimals: 18, address: 'native' },
] as const
export type Coin = (typeof coins)[number] & { id: string }

export interface Payment {
  id: string
  coin: Coin
  amount: number
  to: string
}
export interface Transaction {
  id: string
  type: string
  status: string
  txHash: string | null
}

interface Made {
  all: Transaction[]
  accounts: { id: string }[]
  assets: Coin[]
  deposits: { coin: Coin; amount: number; hash: string }[]
  withdrawals: Payment[]
  rejected: Set<string>
}

/** Everything that does not agree, once all movements have ended. */
export async function problemsOf(
  stack: Stack,
  { all, accounts, assets, deposits, withdrawals, rejected }: Made,
): Promise<string[]> {
  const byId = new Map(all.map((each) => [each.id, each]))
  return [
    ...(await paymentProblems(stack, withdrawals, rejected, byId)),
    ...depositProblems(deposits, all),
    ...chainProblems(stack, all),
    ...(await totalProblems(
      stack,
      accounts,
      deposits,
      withdrawals.filter(({ id }) => byId.get(id)?.status === 'COMPLETED'),
      assets,
    )),
    ...(await scriptProblems(stack)),
  ]
}

/** Each destination is used once: what it holds says whether its withdrawal was paid never, once or twice. */
async function paymentProblems(
  stack: Stack,
  payments: Payment[],
  rejected: Set<string>,
  byId: Map<string, Transaction>,
) {
  const problems: string[] = []
  for (const { id, coin, amount, to } of payments) {
    const { body } = await stack.ask<{ data: { currency: string; amount: string }[] }>(
      'blockchain',
      'GET',
      `/addresses/${to}?network=${coin.network}`,
    )
    const held = Number(body.data.find(({ currency }) => currency === coin.code)?.amount ?? 0)
    const status = byId.get(id)?.status
    const expected = status === 'COMPLETED' ? amount : 0
    if (held !== expected)
      problems.push(`withdrawal ${id} of ${amount} ${coin.code} is ${status}, and ${to} holds ${held}`)
    if (rejected.has(id) === (status === 'COMPLETED'))
      problems.push(`withdrawal ${id} is ${status}, rejected: ${rejected.has(id)}`)
  }
  return problems
}

function depositProblems(deposits: { hash: string }[], all: Transaction[]): string[] {
  return deposits.flatMap(({ hash }) => {
    const found = all.filter(({ type, txHash }) => type === 'DEPOSIT' && txHash === hash)
    return found.length === 1 && found[0]?.status === 'COMPLETED'
      ? []
      : [`deposit ${hash} is in the ledger ${found.length} times: ${found.map(({ status }) => status)}`]
  })
}

/** Every transaction that the chain has of an order is that of one completed withdrawal. */
function chainProblems({ dataDir }: Stack, all: Transaction[]): string[] {
  const database = new Database(join(dataDir, 'blockchain.sqlite'), { readonly: true })
  const rows = database
    .query(
      'SELECT a.send_id AS id, count(*) AS times, max(t.tx_hash) AS hash FROM simulated_transactions t JOIN attempts a ON a.tx_hash = t.tx_hash AND a.network = t.network WHERE t.failure IS NULL GROUP BY a.send_id',
    )
    .all() as { id: string; times: number; hash: string }[]
  database.close()
  const paid = new Map(
    all.filter(({ type, status }) => type === 'WITHDRAWAL' && status === 'COMPLETED').map((each) => [each.id, each]),
  )
  const wrong = rows.filter(({ id, times, hash }) => times !== 1 || paid.get(id)?.txHash !== hash)
  const missing = [...paid.keys()].filter((id) => !rows.some((row) => row.id === id))
  return [
    ...wrong.map(
      ({ id, times }) =>
        `order ${id} is on the chain ${times} times, and ${paid.get(id)?.status ?? 'not completed'} in the ledger`,
    ),
    ...missing.map((id) => `withdrawal ${id} is completed, and on no chain`),
  ]
}

/** The ledger's totals are what came in less what went out, counted by this script. */
async function totalProblems(
  stack: Stack,
  accounts: { id: string }[],
  deposits: { coin: Coin; amount: number }[],
  paid: Payment[],
  assets: Coin[],
) {
  const totals = new Map<string, number>()
  for (const { id } of accounts) {
    const { body } = await stack.ask<{ assetCode: string; totalBalance: string; frozenBalance: string }[]>(
      'core-ledger',
      'GET',
      `/balances/account/${id}`,
    )
    for (const { assetCode, totalBalance } of body)
      totals.set(assetCode, (totals.get(assetCode) ?? 0) + Number(totalBalance))
  }
  const sum = (list: { coin: Coin; amount: number }[], code: string) =>
    list.filter(({ coin }) => coin.code === code).reduce((total, { amount }) => total + amount, 0)
  return assets.flatMap(({ code }) => {
    const expected = sum(deposits, code) - sum(paid, code)
    const actual = totals.get(code) ?? 0
    return actual === expected ? [] : [`the ledger has ${actual} ${code}, and ${expected} came in and stayed`]
  })
}

/** What the project's own checks say: orders and withdrawals both ways, holdings, books. */
async function scriptProblems(stack: Stack): Promise<string[]> {
  const found = []
  for (const script of ['reconcile', 'audit']) {
    const { code, said } = await stack.run(script, ['--data-dir', stack.dataDir])
    if (code !== 0) found.push(`bun run ${script}: ${said}`)
    else if (script === 'reconcile' && !/, 0 too many/.test(said)) found.push(`more is held than owed: ${said}`)
  }
  return found
}

/** Each step of each transaction is told once, in whatever order. */
export async function eventProblems(stack: Stack, all: Transaction[]): Promise<string[]> {
  const told = async (id: string) => {
    const { body } = await stack.ask<{ data: { data: { status: string } }[] }>(
      'notification',
      'GET',
      `/events?transactionId=${id}&limit=100`,
    )
    return body.data.map(({ data }) => data.status)
  }
  const problems: string[] = []
  for (const { id, type, status } of all) {
    const statuses = await until(
      async () => {
        const found = await told(id)
        return found.includes(status) ? found : null
      },
      { what: `${status} of ${type} ${id} to be told` },
    )
    if (new Set(statuses).size !== statuses.length)
      problems.push(`${type} ${id} is ${status}, and told were ${statuses}`)
  }
  return problems
}
