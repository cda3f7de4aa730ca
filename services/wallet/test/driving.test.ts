import { expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { drivingOrders } from '../src/orders/driving'
import { definition } from '../src/service'
import { fundedAccount, order, start } from './orders'
import { sharedWallets } from './own-wallets'

const { peers, service } = await sharedWallets()

const metric = async () => /bursar_orders_open\{[^}]*\} (\d+)/.exec(await service.deps.metrics.text())?.[1]

test('the worker executes orders as they are accepted, and finishes running attempts when it is stopped', async () => {
  const { accountId } = await fundedAccount(service, peers)
  const worker = drivingOrders(service.deps)
  const first = order({ accountId })
  await start(service, first)
  await until(() => peers.sends.has(first.id))

  const gate = Promise.withResolvers<void>()
  peers.fault((request, usual) => (request.url.endsWith('/internal/sends') ? gate.promise.then(usual) : undefined))
  const second = order({ accountId })
  const before = peers.calls('POST', '/internal/sends')
  await start(service, second)
  await until(() => peers.calls('POST', '/internal/sends') > before)
  expect(worker.idle?.()).toBe(false)
  const stopping = worker.stop()
  gate.resolve()
  await stopping
  peers.fault(null)
  expect(peers.sends.has(second.id)).toBe(true)

  const third = order({ accountId })
  await start(service, third)
  expect(worker.idle?.()).toBe(true)
  expect(peers.sends.has(third.id)).toBe(false)
})

test('the service runs it, and the metric shows the number of open orders', async () => {
  const workers = definition(service.deps.config).workers?.(service.deps) ?? []
  expect(workers).toHaveLength(3)
  const { accountId } = await fundedAccount(service, peers)
  const body = order({ accountId })
  await start(service, body)
  await until(() => peers.sends.has(body.id))
  expect(Number(await metric())).toBeGreaterThan(0)
  for (const worker of workers) await worker.stop()
})
