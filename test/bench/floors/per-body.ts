// `DATABASE_URL=… bun test/bench/floors/per-body.ts PORT`: withdrawals by the ledger's own statements, but a serializable transaction for
// each, so many at the same time on connections of their own, and run again after a conflict: what a service does without the
// store's batches.
import { openStore, type Store } from '@bursar/store'
import { toTransaction } from '../../../services/core-ledger/src/movements/read-transactions'
import type { NewWithdrawal } from '../../../services/core-ledger/src/movements/transactions.model'
import { migrations } from '../../../services/core-ledger/src/service'
import { createWithdrawal } from '../../../services/core-ledger/src/withdrawals/create-withdrawal'

const atOnce = 8

const url = process.env.DATABASE_URL ?? ''
const stores = await Promise.all(
  Array.from({ length: atOnce }, () => openStore({ service: 'core-ledger', url, schema: 'core', migrations })),
)
let next = 0

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.argv[2]),
  async fetch(request) {
    if (request.method === 'GET') return new Response('ready')
    const input = (await request.json()) as NewWithdrawal
    next += 1
    const made = await (stores[next % atOnce] as Store).commit((tx) => createWithdrawal(tx, input, new Date()))
    return Response.json(toTransaction(made), { status: 201 })
  },
})
