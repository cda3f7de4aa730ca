import { expect, test } from 'bun:test'
import { AddressListed } from '@bursar/contracts/sanctions'
import { localServer, until } from '@bursar/testing'
import { watchingForgotten } from '../src/ledger/watch-forgotten'
import { rescreen } from '../src/watch/rescreen'
import { watchedAddresses } from '../src/watch/watched-addresses.table'
import { bringList, clean, entry, testSanctions } from './harness'
import { ledgerEvent } from './ledger-event'

test('restored alone, it watches the counterparties of the transactions that it has forgotten', async () => {
  const ledger = localServer(() => Response.json([]))
  const service = await testSanctions({ urls: { 'core-ledger': ledger.url } })
  const participantId = Bun.randomUUIDv7()
  const known = ledgerEvent({ type: 'WITHDRAWAL', destinationAddress: clean.btc, participantId })
  const forgotten = ledgerEvent({ type: 'DEPOSIT', sourceAddress: clean.eth })
  await service.consume(known)
  const rows = [known, forgotten].map(({ data }) => ({ ...data, createdAt: data.at }))
  ledger.answer(() => Response.json([...rows, { ...ledgerEvent({ type: 'TRANSFER' }).data, createdAt: rows[0]?.at }]))

  const loop = watchingForgotten(service.deps)
  await loop.runNow()
  expect(ledger.requests.map(({ path }) => path)).toEqual([
    '/v1/transactions?from=1970-01-01T00%3A00%3A00.000Z&limit=100',
  ])
  await bringList(service, [entry(clean.eth), entry(clean.btc)])
  expect(await rescreen(service.deps)).toBe(2)
  const hits = (await service.events()).filter(({ name }) => name === AddressListed.name).map(({ data }) => data)
  expect(hits).toHaveLength(2)
  expect(hits).toContainEqual(
    expect.objectContaining({ address: clean.eth, participantId: null, ledgerTransactionId: forgotten.data.id }),
  )
  expect(hits).toContainEqual(expect.objectContaining({ address: clean.btc, participantId }))

  // Those since are told by their events, until a start from a database of before.
  await loop.runNow()
  expect(ledger.requests).toHaveLength(1)
  const next = watchingForgotten(service.deps)
  await next.runNow()
  expect(ledger.requests.at(-1)?.path).toBe('/v1/transactions?from=2024-09-30T11%3A55%3A00.000Z&limit=100')
  for (const each of [loop, next]) await each.stop()
  await service.close()
  await ledger.stop()
})

test('more transactions than fit a page, and a ledger that does not answer: it asks again, and goes on', async () => {
  const ledger = localServer(() => new Response('', { status: 503 }))
  const service = await testSanctions({ urls: { 'core-ledger': ledger.url } })
  const loop = watchingForgotten(service.deps)
  await loop.runNow()
  const rows = Array.from({ length: 101 }, (_, i) => {
    const { data } = ledgerEvent({ type: 'DEPOSIT', sourceAddress: `0x${i.toString(16).padStart(40, '0')}` })
    return { ...data, createdAt: data.at }
  })
  ledger.answer((request) => Response.json(request.url.includes('after=') ? rows.slice(100) : rows.slice(0, 100)))
  // On a server another instance may have the work first.
  await until(() => loop.runNow().then(() => ledger.requests.length > 2), { what: 'another look' })
  expect(ledger.requests.at(-1)?.path).toEndWith(`&limit=100&after=${rows[99]?.id}`)
  expect(await service.store.read.$count(watchedAddresses)).toBe(101)
  await loop.stop()
  await service.close()
  await ledger.stop()
})
