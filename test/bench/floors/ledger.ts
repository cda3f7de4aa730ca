// The core ledger's busiest routes by hand: Bun's own server, prepared SQL, WAL with synchronous FULL; the requests of one
// turn of the event loop share one transaction.
import { Database } from 'bun:sqlite'
import { screenings, withdrawals } from './ledger-writes'

const [port, file] = process.argv.slice(2)
const db = new Database(file)
for (const pragma of [
  'journal_mode = WAL',
  'synchronous = FULL',
  'cache_size = -16384',
  'wal_autocheckpoint = 4000',
  'mmap_size = 268435456',
]) {
  db.run(`PRAGMA ${pragma}`)
}
const begin = db.prepare('BEGIN IMMEDIATE')
const commit = db.prepare('COMMIT')
const withdraw = withdrawals(db)
const screen = screenings(db)
const balances = db.prepare(
  `SELECT a.customer_id, b.account_id, b.asset_id, s.code, s.name, s.decimals, b.available, b.frozen
   FROM accounts a JOIN balances b ON b.account_id = a.id JOIN assets s ON s.id = b.asset_id
   WHERE a.id = +? ORDER BY b.account_id, b.asset_id`,
)

let waiting: (() => () => void)[] = []

function flush() {
  const batch = waiting
  waiting = []
  begin.run()
  const answers = batch.map((work) => work())
  commit.run()
  for (const answer of answers) answer()
}

const grouped = <I, O>(write: (input: I) => O, input: I): Promise<O> =>
  new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(flush)
    waiting.push(() => {
      const output = write(input)
      return () => resolve(output)
    })
  })

const inUnits = (text: string): string => `${text.padStart(7, '0').slice(0, -6)}.${text.padStart(7, '0').slice(-6)}`

function balancesOf(account: string) {
  const rows = balances.values(account) as string[][]
  return rows.map(([customerId, accountId, assetId, assetCode, assetName, , available = '', frozen = '']) => ({
    customerId,
    accountId,
    assetId,
    assetCode,
    assetName,
    availableBalance: inUnits(available),
    frozenBalance: inUnits(frozen),
    totalBalance: inUnits((BigInt(available) + BigInt(frozen)).toString()),
  }))
}

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  reusePort: false,
  async fetch(request) {
    const { url, method } = request
    if (method === 'GET') {
      const [, account] = url.split('/balances/account/')
      return account === undefined ? new Response('ready') : Response.json(balancesOf(account))
    }
    if (url.endsWith('/withdrawal'))
      return Response.json(await grouped(withdraw, (await request.json()) as Parameters<typeof withdraw>[0]), {
        status: 201,
      })
    return Response.json(await grouped(screen, (await request.json()) as Parameters<typeof screen>[0]))
  },
})
