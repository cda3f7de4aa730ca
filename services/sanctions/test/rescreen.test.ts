import { describe, expect, test } from 'bun:test'
import { AddressListed } from '@bursar/contracts/sanctions'
import { t } from '@bursar/contracts/schema'
import { type DeliveryRequest, DeliveryRequested } from '@bursar/contracts/webhook'
import { webhookEvents } from '@bursar/contracts/webhook-events'
import { fieldProblems } from '@bursar/http'
import { tempDir } from '@bursar/testing'
import { screenAddress } from '../src/screening/screen-address'
import { rescreen } from '../src/watch/rescreen'
import { watch } from '../src/watch/watch'
import { bringList, clean, entry, listed, runDue, type TestSanctions, testSanctions } from './harness'
import { ledgerEvent } from './ledger-event'

const participantId = '018f2f3e-0000-7000-8000-0000000000aa'
const address = (i: number) => `0x${i.toString(16).padStart(40, 'a')}`
const verify = (service: TestSanctions, address: string, headers = {}) =>
  service.post('/sanctions/verify-address/sync', { address, blockchain: 'ethereum' }, headers)
const hitsOf = async (service: TestSanctions) =>
  (await service.events()).filter(({ name }) => name === AddressListed.name).map(({ data }) => data as AddressListed)
const deliveriesOf = async (service: TestSanctions) =>
  (await service.events()).filter(({ name }) => name === DeliveryRequested.name).map(({ data }) => data)
const figure = async (service: TestSanctions, name: string) => {
  const text = await service.deps.metrics.text()
  return text
    .split('\n')
    .find((line) => line.startsWith(name))
    ?.split(' ')
    .at(-1)
}

describe('a new list', () => {
  test('is compared with every address ever screened: a hit makes an event, a tracker message and a webhook', async () => {
    const service = await testSanctions({ env: { SANCTIONS_CALLBACK_URL: 'https://bank.example/hits' } })
    const as = await service.asParticipant(participantId)
    await verify(service, address(1), as)
    await verify(service, address(1))
    await verify(service, address(2))
    await verify(service, listed.eth)
    await service.post('/sanctions/verify-address', { externalId: 'a', address: address(3), blockchain: 'ethereum' })
    await runDue(service.deps)
    const before = (await deliveriesOf(service)).length

    await bringList(service, [
      entry(address(1).toUpperCase().replace('0X', '0x'), '4711'),
      entry(address(3)),
      entry(listed.eth),
    ])
    expect(await figure(service, 'bursar_sanctions_rescreen_left')).toBe('5')
    expect(await rescreen(service.deps)).toBe(3)
    expect(await figure(service, 'bursar_sanctions_rescreen_left')).toBe('0')
    const text = await service.deps.metrics.text()
    expect(text).toMatch(/bursar_sanctions_rescreened{what="addresses",service="sanctions"} 5/)
    expect(text).toMatch(/bursar_sanctions_rescreened{what="hits",service="sanctions"} 3/)
    expect((await service.get('/sanctions/lists')).body).toMatchObject([{ rescreened: 5, rescreenHits: 3 }])

    const hits = await hitsOf(service)
    expect(hits.map((hit) => [hit.address, hit.participantId]).sort()).toEqual(
      [
        [address(1), null],
        [address(1), participantId],
        [address(3), null],
      ].sort(),
    )
    const hit = hits.find((each) => each.participantId === participantId)
    expect(hit).toMatchObject({
      v: 1,
      blockchain: 'ethereum',
      ledgerTransactionId: null,
      source: { provider: 'ofac-sdn', match: true, details: { version: '2024-10-15', matches: [{ entryId: '4711' }] } },
    })
    const line = AddressListed.log?.(hit as AddressListed)
    expect(line).toMatchObject({
      status: 'FAILURE',
      metadata: { action: 'sanctions_hit', address: address(1), list_version: '2024-10-15' },
    })
    const deliveries = (await deliveriesOf(service)).slice(before)
    expect(deliveries).toHaveLength(3)
    for (const { eventType, payload } of (await deliveriesOf(service)) as DeliveryRequest[]) {
      const body = webhookEvents.find(({ type }) => type === eventType)?.body ?? t.Never()
      expect([eventType, fieldProblems(body, payload)]).toEqual([eventType, []])
    }
    expect(deliveries).toContainEqual(
      expect.objectContaining({
        requestId: hit?.id,
        eventType: 'sanctions.hit',
        participantId,
        fallbackUrl: 'https://bank.example/hits',
        payload: {
          type: 'sanctions.hit',
          timestamp: hit?.at,
          data: {
            hitId: hit?.id,
            address: address(1),
            blockchain: 'ethereum',
            transactionId: null,
            source: hit?.source,
          },
        },
      }),
    )
    await service.close()
  })

  test('reports a hit once, not for each list; and again after the address had left the list', async () => {
    const service = await testSanctions()
    await verify(service, clean.eth)
    const bring = async (each: string) => {
      await bringList(service, [entry(each), entry(clean.btc)])
      await rescreen(service.deps)
      return (await hitsOf(service)).length
    }
    const counts = []
    for (const each of [clean.eth, clean.eth, listed.eth, clean.eth]) counts.push(await bring(each))
    expect(counts).toEqual([1, 1, 1, 2])
    await service.close()
  })

  test('reports a hit also when a request found it first, and once when two workers do', async () => {
    const service = await testSanctions()
    await verify(service, address(1))
    await bringList(service, [entry(address(1)), entry(address(2))])
    expect((await verify(service, address(1), { 'idempotency-key': 'k-1' })).body.sanctioned).toBe(true)
    const found = await Promise.all([rescreen(service.deps), rescreen(service.deps)])
    expect(found.sort()).toEqual([0, 1])
    expect(await hitsOf(service)).toHaveLength(1)
    await service.close()
  })

  test('reports an address screened with the previous list and stored after the activation', async () => {
    const service = await testSanctions()
    const { screened } = await screenAddress(service.deps, { address: address(1), blockchain: 'x' })
    await bringList(service, [entry(address(1))])
    expect(await rescreen(service.deps)).toBe(0)
    const sightings = screened.map((each) => ({ ...each, participantId: null, ledgerTransactionId: null }))
    await service.store.commit((tx) => watch(tx, sightings, service.clock()))
    expect(await rescreen(service.deps)).toBe(1)
    await service.close()
  })

  test('is compared with thousands, also across a restart', async () => {
    const dataDir = tempDir()
    const before = await testSanctions({ dataDir })
    await Promise.all(Array.from({ length: 1500 }, (_, i) => verify(before, address(i))))
    await bringList(before, [entry(address(3)), entry(address(1400))])
    await before.close()
    const after = await testSanctions({ dataDir })
    expect(await rescreen(after.deps)).toBe(2)
    expect(await rescreen(after.deps)).toBe(0)
    expect(await figure(after, 'bursar_sanctions_rescreen_left')).toBe('0')
    await after.close()
  })

  test('finds the parties of screened transactions', async () => {
    const service = await testSanctions({
      client: () => {
        const parties = { network: 'x', txHash: 'y', from: [address(1)], to: [address(2)] }
        return { call: async () => parties as never, find: async () => null }
      },
    })
    await service.post('/sanctions/verify-transaction/sync', { transactionId: 'y', blockchain: 'x' })
    await bringList(service, [entry(address(2))])
    expect(await rescreen(service.deps)).toBe(1)
    await service.close()
  })

  test('finds the counterparties of the ledger’s transactions, with the last transaction', async () => {
    const service = await testSanctions()
    await service.consume(ledgerEvent({ type: 'DEPOSIT', sourceAddress: address(5), participantId }))
    const withdrawal = ledgerEvent({ type: 'WITHDRAWAL', destinationAddress: address(6) })
    await service.consume(ledgerEvent({ type: 'WITHDRAWAL', destinationAddress: address(6) }))
    await service.consume(withdrawal)
    await service.consume(ledgerEvent({ type: 'TRANSFER' }))
    await verify(service, address(6), { 'idempotency-key': 'k-6' })
    await bringList(service, [entry(address(5)), entry(address(6))])
    expect(await rescreen(service.deps)).toBe(2)
    const hits = await hitsOf(service)
    const found = hits.map((hit) => [hit.address, hit.participantId, hit.ledgerTransactionId])
    expect(found).toContainEqual([address(6), null, withdrawal.data.id])
    expect(found).toContainEqual([address(5), participantId, expect.any(String)])
    await service.close()
  })
})

test('with external screening, a counterparty that is already listed is reported at once', async () => {
  const service = await testSanctions()
  const deposit = ledgerEvent({ type: 'DEPOSIT', sourceAddress: listed.btc })
  await service.consume(deposit)
  await service.consume(deposit)
  expect(await hitsOf(service)).toMatchObject([{ address: listed.btc, ledgerTransactionId: deposit.data.id }])
  await service.close()
})
