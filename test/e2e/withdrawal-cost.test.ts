// What a withdrawal costs from its order to COMPLETED: statements, commits and published events of the services that carry
// it out or are told of it, counted by their stores. The bounds are what it costs today and a little more, so that what comes
// back is noticed.

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { type Coin, type OnChainMoney, onChainMoney } from './on-chain-money'

const withdrawals = 256
/** Whose they are, in turn: what an account pays is a queue of its own. */
const accounts = 16
const pol: Coin = { network: 'polygon', code: 'POL', decimals: 18, contract: null }
const stranger = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
const carrying = ['core-ledger', 'wallet', 'blockchain', 'sanctions', 'notification', 'log-tracker'] as const
/** Those that are asked as well: whether what pays is active. */
const counted = [...carrying, 'customer', 'account'] as const
type Counted = (typeof counted)[number]

/**
 * For each withdrawal. They work on batches, of a few dozen here: most statements are a fraction of one. Events: six, created,
 * verdict, approved and completed; and of wallet and blockchain confirmed. Broadcast is told where a network's pass does not find the end.
 */
const bounds = {
  // Now and then it tells of a sealed block.
  'core-ledger': { statements: 7, bodies: 0.4, events: 3.1 },
  wallet: { statements: 3.5, bodies: 0.25, events: 1.1 },
  // What an address pays is a queue of its own, which is read by itself.
  blockchain: { statements: 9, bodies: 0.5, events: 1.1 },
  // It screens in the commit that takes the event, where no source outside is asked.
  sanctions: { statements: 0.8, bodies: 0.06, events: 1 },
  notification: { statements: 1, bodies: 0.1, events: 0 },
  'log-tracker': { statements: 1.5, bodies: 0.1, events: 0 },
  // All that are asked for together are read by one statement.
  customer: { statements: 0.2, bodies: 0, events: 0 },
  account: { statements: 0.2, bodies: 0, events: 0 },
}

/**
 * Bytes of a withdrawal in these databases together, once it has ended: of the rows that stay and their indexes. The outbox
 * is left out: its rows are deleted soon.
 */
const stored = ['core-ledger', 'wallet', 'sanctions', 'notification', 'log-tracker'] as const
const mostBytes = 7500

let platform: TestPlatform
let money: OnChainMoney
beforeAll(async () => {
  // As in production: what comes between two looks at a network is one batch.
  const settings = { NETWORK_POLL_MS: '2000', SCREENING: 'sanctions' }
  platform = await testPlatform(['quote', ...counted], settings)
  money = onChainMoney(platform)
  await money.newAsset(pol)
})
afterAll(() => platform.close())

async function countsOf(name: Counted) {
  const { body } = await platform.to(name, '').get<string>('/metrics')
  const figure = (metric: string) => Number(new RegExp(`^${metric}\\{.*\\} (\\d+)$`, 'm').exec(body)?.[1])
  return {
    statements: figure('bursar_statements'),
    bodies: figure('bursar_commit_bodies'),
    events: figure('bursar_events_published'),
  }
}

const databaseOf = (name: Counted) =>
  new Database(join(platform.dataDir, `${services[name].slug}.sqlite`), { readonly: true })

/** Read from the file: to ask the ledger would be statements of its own. */
function completed(type: 'DEPOSIT' | 'WITHDRAWAL'): number {
  using database = databaseOf('core-ledger')
  const where = `type = '${type}' AND status = 'COMPLETED'`
  const [row] = database.query(`SELECT count(*) AS n FROM transactions WHERE ${where}`).all() as { n: number }[]
  return row?.n ?? 0
}

/** By service: the bytes of rows and their indexes, but for the outbox. */
function bytesOf(name: (typeof stored)[number]): number {
  using database = databaseOf(name)
  const [row] = database
    .query("SELECT sum(pgsize - unused) AS bytes FROM dbstat WHERE name NOT IN ('outbox', 'sqlite_sequence')")
    .all() as { bytes: number }[]
  return row?.bytes ?? Number.NaN
}

test('a withdrawal takes no more statements and commits than it needs', async () => {
  const accountIds = await Promise.all(Array.from({ length: accounts }, () => money.newAccount()))
  for (const accountId of accountIds) {
    const address = await money.walletOf(accountId, pol.network)
    await platform.to('blockchain').create('/simulated/polygon/deposits', { address, asset: 'POL', amount: '10000' })
  }
  await until(() => completed('DEPOSIT') === accounts, { what: 'all to be credited' })
  const pay = async () => {
    const wanted = completed('WITHDRAWAL') + withdrawals
    const orders = Array.from({ length: withdrawals }, (_, i) => accountIds[i % accounts] as string)
    await Promise.all(orders.map((accountId) => money.order(accountId, pol, '1', stranger)))
    await until(() => completed('WITHDRAWAL') === wanted, { what: 'all to be completed' })
    await platform.settle()
  }
  // Preparing a statement counts as well: it is done once.
  await pay()
  const spent = async () => {
    const before = await Promise.all(counted.map(countsOf))
    const bytesBefore = stored.map(bytesOf)
    await pay()
    const after = await Promise.all(counted.map(countsOf))
    const costs = counted.flatMap((name, i) =>
      (['statements', 'bodies', 'events'] as const).map((what) => {
        const each = ((after[i]?.[what] ?? 0) - (before[i]?.[what] ?? 0)) / withdrawals
        return { what: `${what} of ${name}`, each, bound: bounds[name][what] }
      }),
    )
    return { costs, bytes: stored.map((name, i) => (bytesOf(name) - (bytesBefore[i] ?? 0)) / withdrawals) }
  }
  let found = await spent()
  // While a machine stands still services look for work all the same: then it is counted again.
  for (let more = 2; more > 0 && found.costs.some(({ each, bound }) => each > bound); more--) found = await spent()
  for (const { what, each, bound } of found.costs) {
    if (bound > 0) expect(each, what).toBeGreaterThan(0)
    expect(each, what).toBeLessThanOrEqual(bound)
  }
  const { bytes } = found
  const inAll = bytes.reduce((sum, each) => sum + each)
  expect(inAll, stored.map((name, i) => `${name} ${bytes[i]?.toFixed(0)}`).join(', ')).toBeLessThanOrEqual(mostBytes)
  expect(Math.min(...bytes)).toBeGreaterThan(0)
})
