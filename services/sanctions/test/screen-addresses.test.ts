import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ListActivated } from '@bursar/contracts/sanctions'
import { openReadOnly } from '@bursar/store'
import { jobs } from '../src/jobs/jobs.table'
import { entriesInUse } from '../src/screening/screen-locally'
import { watchedAddresses } from '../src/watch/watched-addresses.table'
import { bringList, clean, entry, listed, refused, type TestSanctions, testSanctions } from './harness'

const participantId = '018f2f3e-0000-7000-8000-0000000000aa'
const blockchain = 'ethereum'

async function screen(service: TestSanctions, ...addresses: string[]) {
  const items = addresses.map((address) => ({ address, blockchain }))
  return await service.post('/internal/addresses/screen', { items }, await service.asService('core-ledger'))
}
const verdicts = async (service: TestSanctions, ...addresses: string[]): Promise<boolean[]> =>
  (await screen(service, ...addresses)).body.items.map((item: { isListed: boolean }) => item.isListed)

describe('POST /internal/addresses/screen', () => {
  let service: TestSanctions
  beforeAll(async () => {
    service = await testSanctions()
  })
  afterAll(() => service.close())

  test('answers each item in its order, with the list and the evidence, and creates no job', async () => {
    const { id } = (await service.get('/internal/lists/current', await service.asService('core-ledger'))).body
    const { status, body } = await screen(service, clean.eth, listed.eth, clean.btc, listed.btc)
    expect(status).toBe(200)
    const [first, second, ...others] = body.items
    expect(first).toEqual({ address: clean.eth, listId: id, isListed: false, source: null })
    expect(second).toMatchObject({
      address: listed.eth,
      listId: id,
      isListed: true,
      source: { provider: 'ofac-sdn', match: true, details: { version: '2024-09-27', matches: [{ asset: 'ETH' }] } },
    })
    expect(others.map((item: { isListed: boolean }) => item.isListed)).toEqual([false, true])
    expect(await service.store.read.$count(jobs)).toBe(0)
    expect(await service.store.read.$count(watchedAddresses)).toBe(0)
  })

  test('normalises as screenings do, and tells addresses of one hash apart', async () => {
    const evm = listed.eth.slice(2)
    const written = [
      listed.eth.toLowerCase(),
      evm.toUpperCase(),
      ` ${listed.eth} `,
      listed.btc,
      listed.btc.toLowerCase(),
    ]
    expect(await verdicts(service, ...written)).toEqual([true, true, true, true, false])
    const pair = ['0x08c680944c0f0319c3c64caf3ebea3fa5abf9f5d', '0x78b9dc9d01041455b8d6ab3bc993ec7abd8dbeb5'] as const
    const own = await testSanctions()
    await bringList(own, [entry(pair[0], '1'), entry(pair[0], '2')])
    expect(await verdicts(own, ...pair)).toEqual([true, false])
    const [found] = (await screen(own, pair[0])).body.items
    expect(found.source.details.matches.map(({ entryId }: { entryId: string }) => entryId)).toEqual(['1', '2'])
    await own.close()
  })

  test('applies the sandbox rule only in the sandbox', async () => {
    const address = `0x${'1'.repeat(36)}9999`
    const [item] = (await screen(service, address)).body.items
    expect(item).toMatchObject({ isListed: true, source: { provider: 'sandbox', match: true } })
    expect(await verdicts(service, `ethereum:${address}?value=1`)).toEqual([true])
    const live = await testSanctions({ env: { SANCTIONS_SANDBOX: 'off' } })
    expect(await verdicts(live, address, listed.eth)).toEqual([false, true])
    await live.close()
  })

  test('takes a hundred, with repetitions; entries that are not addresses get no verdict', async () => {
    const many = Array.from({ length: 50 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`)
    expect(await verdicts(service, ...many, ...many)).toEqual(Array(100).fill(false))
    expect((await screen(service, listed.trx, '   ')).body.items).toMatchObject([{ isListed: true }, null])
    expect((await screen(service, ...many, ...many, clean.eth)).status).toBe(400)
    expect((await screen(service)).status).toBe(400)
  })

  test('names that objects inherit are addresses like any other', async () => {
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
    expect(await verdicts(service, ...names)).toEqual([false, false, false, false])
  })

  test('is for the core ledger only', async () => {
    const body = { items: [{ address: clean.eth, blockchain }] }
    const callers = [
      {},
      await service.asParticipant(participantId),
      await service.asService('wallet'),
      await service.asService('main-api'),
    ]
    for (const caller of callers) {
      expect(refused(await service.post('/internal/addresses/screen', body, caller), 401)).toHaveLength(1)
    }
  })

  test('reads entries by their index, not the list', async () => {
    const { sql } = entriesInUse({ hashes: 2 })(service.store.read).toSQL()
    const file = openReadOnly(service.file)
    const plan = file.rows(`explain query plan ${sql}`).map(({ detail }) => String(detail))
    file.close()
    expect(plan).toEqual([
      expect.stringContaining('INDEX lists_status (status=?)'),
      expect.stringContaining('INDEX list_entries_hash (list_id=? AND hash=?)'),
    ])
  })
})

describe('the activation of a list', () => {
  const activations = async (service: TestSanctions) =>
    (await service.events()).filter(({ name }) => name === ListActivated.name).map(({ data }) => data)

  test('publishes an event in its commit, and the list is used from then on', async () => {
    const service = await testSanctions()
    const before = await activations(service)
    expect(await verdicts(service, clean.eth)).toEqual([false])
    const id = await bringList(service, [entry(clean.eth)])
    expect((await activations(service)).slice(before.length)).toEqual([
      {
        v: 1,
        listId: id,
        name: 'OFAC SDN',
        publishedAt: '2024-10-15T00:00:00.000Z',
        at: service.clock().toISOString(),
      },
    ])
    const { items } = (await screen(service, clean.eth, listed.eth)).body
    expect(items).toMatchObject([
      { listId: id, isListed: true },
      { listId: id, isListed: false },
    ])
    await service.close()
  })

  test('that is refused publishes nothing', async () => {
    const service = await testSanctions()
    const before = await activations(service)
    await expect(bringList(service, [entry(clean.eth)], { force: false })).rejects.toThrow('the one in use')
    expect(await activations(service)).toEqual(before)
    await service.close()
  })
})
