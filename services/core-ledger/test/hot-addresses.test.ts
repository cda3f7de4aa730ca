import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { gatewayPath } from './execution-harness'
import { type Ledger, openLedger } from './harness'
import { type Bench, makeBench, pay, withdrawalOf } from './steps'

const hot = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
let wallet: LocalServer
let ledger: Ledger
let bench: Bench
let code: string
beforeAll(async () => {
  wallet = localServer((request) =>
    new URL(request.url).pathname === '/internal/hot-addresses'
      ? Response.json([{ family: 'evm', address: hot }])
      : Response.json({ error: { code: 'NOT_FOUND', message: 'Not here' } }, { status: 404 }),
  )
  ledger = await openLedger({ urls: { wallet: wallet.url } })
  // Enough for each withdrawal until the wallet service has answered.
  bench = await makeBench(ledger, '10000')
  const { body } = await ledger.ask<{ id: string; code: string }[]>('GET', '/assets')
  code = body.find(({ id }) => id === bench.assetId)?.code ?? ''
})
afterAll(async () => {
  await ledger.close()
  await wallet.stop()
})

const withdraw = (destinationAddress: string) =>
  ledger.ask('POST', '/transactions/withdrawal', withdrawalOf(bench, '1', { destinationAddress }))

test('the hot wallet is no destination, however its address is written; before the wallet service was reached it is unknown', async () => {
  expect((await withdraw(hot)).status).toBe(201)
  const worker = ledger.deps.hotAddresses.start(ledger.deps)
  await until(async () => (await withdraw(hot)).status === 400)
  for (const address of [hot, hot.toLowerCase()]) {
    const { status, body } = await withdraw(address)
    expect([status, body.message]).toEqual([
      400,
      'destinationAddress is the deployment’s own hot wallet, which belongs to no account',
    ])
    const { assetId, ...rest } = withdrawalOf(bench, '1', { destinationAddress: address })
    expect((await ledger.ask('POST', `${gatewayPath}/withdrawal`, { ...rest, assetCode: code })).status).toBe(400)
  }
  expect((await withdraw('0x742d35cc6634c0532925a3b844bc454e4438f44e')).status).toBe(201)

  const { id: accountId } = await ledger.account({ type: 'OMNIBUS', customerId: null })
  await pay(ledger, { ...bench, accountId }, '10')
  const id = Bun.randomUUIDv7()
  const order = { id, accountId, network: 'ethereum', contractAddress: null, amount: '1', reference: 'r' }
  const headers = await ledger.asService('blockchain')
  const ordered = await ledger.ask('POST', '/internal/withdrawals', { ...order, destinationAddress: hot }, headers)
  expect(ordered.body).toMatchObject({ id, transactionId: null, reason: expect.stringMatching(/own hot wallet/) })
  await worker.stop()
})
