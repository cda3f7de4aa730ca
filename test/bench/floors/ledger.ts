// The core ledger's busiest routes by hand: Bun's own server, prepared SQL, writes as durable as the service's and in the
// same batches.
import { Database } from 'bun:sqlite'
import { groupedWrites } from './grouped'
import { screenings, withdrawals } from './ledger-writes'

const [port, file = ''] = process.argv.slice(2)
const db = new Database(file)
for (const pragma of ['cache_size = -16384', 'mmap_size = 268435456']) db.run(`PRAGMA ${pragma}`)
const grouped = groupedWrites(db, file)
const withdraw = withdrawals(db)
const screen = screenings(db)
const balances = db.prepare(
  `SELECT a.customer_id, b.account_id, b.asset_id, s.code, s.name, s.decimals, b.available, b.frozen
   FROM accounts a JOIN balances b ON b.account_id = a.id JOIN assets s ON s.id = b.asset_id
   WHERE a.id = +? ORDER BY b.account_id, b.asset_id`,
)

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
    const body: unknown = await request.json()
    if (url.endsWith('/withdrawal')) {
      const made = await grouped(() => withdraw(body as Parameters<typeof withdraw>[0]))
      return Response.json(made, { status: 201 })
    }
    return Response.json(await grouped(() => screen(body as Parameters<typeof screen>[0])))
  },
})
