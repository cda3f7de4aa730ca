import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody } from '@bursar/testing/service'
import { screenLedgerTransactions } from '../src/ledger/screen-ledger-transaction'
import { clean, listed, refused, runDue, type TestSanctions, testSanctions } from './harness'

const own = '018f2f3e-0000-7000-8000-0000000000aa'
const transactionId = '018f2f3e-0000-7000-8000-0000000000bb'
let service: TestSanctions
let headers: Record<string, string>
const ids: string[] = []

/** 0: clean; 1: listed, of a participant; 2: a deposit without a source fails; 3: of the ledger, listed; 4: pending. */
beforeAll(async () => {
  service = await testSanctions()
  headers = await service.asParticipant(own)
  const screen = async (externalId: string, address: string, from?: Record<string, string>) =>
    (await service.post('/sanctions/verify-address', { externalId, address, blockchain: 'ethereum' }, from)).body.jobId
  const ledger = async (id: string, sourceAddress: string | null) => {
    const transaction = { id, type: 'DEPOSIT', network: 'ethereum', sourceAddress, destinationAddress: null } as const
    await service.store.commit((tx) =>
      screenLedgerTransactions(tx, service.deps, [{ ...transaction, participantId: null }]),
    )
    return (await list(`transactionId=${id}`)).body[0].jobId
  }
  ids.push(await screen('first', clean.eth))
  service.clock.advance(60_000)
  ids.push(await screen('second', listed.eth, headers))
  service.clock.advance(60_000)
  ids.push(await ledger(nobody, null))
  service.clock.advance(60_000)
  ids.push(await ledger(transactionId, listed.eth.toLowerCase()))
  await runDue(service.deps)
  service.clock.advance(60_000)
  ids.push(await screen('fifth', clean.btc))
})
afterAll(() => service.close())

const list = async (query = '', from?: Record<string, string>) => await service.get(`/sanctions/jobs?${query}`, from)
const found = (body: { jobId: string }[]) => body.map(({ jobId }) => ids.indexOf(jobId))

describe('GET /sanctions/jobs', () => {
  test('200: newest first, with the sources’ findings', async () => {
    const { status, headers: sent, body } = await list()
    expect([status, sent.get('x-total-count')]).toEqual([200, null])
    expect(found(body)).toEqual([4, 3, 2, 1, 0])
    expect(body[3]).toMatchObject({
      kind: 'address',
      subject: listed.eth,
      blockchain: 'ethereum',
      participantId: own,
      externalId: 'second',
      status: 'completed',
      sanctioned: true,
      result: {
        sources: [{ provider: 'ofac-sdn', match: true, details: { version: '2024-09-27' } }, expect.anything()],
      },
    })
    expect(body.map(({ sanctioned }: { sanctioned: unknown }) => sanctioned)).toEqual([null, true, null, true, false])
  })

  test.each([
    ['status=completed', [3, 1, 0]],
    ['status=failed', [2]],
    ['status=pending', [4]],
    ['sanctioned=true', [3, 1]],
    ['sanctioned=false', [0]],
    ['sanctioned=true&kind=ledger', [3]],
    ['kind=address&order=asc', [0, 1, 4]],
    [`transactionId=${transactionId.toUpperCase()}`, [3]],
    [`transactionId=${own}`, []],
    ['externalId=second', [1]],
    [`externalId=${transactionId}`, [3]],
    [`address=${listed.eth.toUpperCase()}`, [3, 1]],
    [`address=${listed.eth}&status=completed&sanctioned=true&kind=address`, [1]],
    ['address=nobody', []],
    ['from=2024-09-30T12:03:00Z', [4, 3]],
    ['to=2024-09-30T12:01:00Z', [1, 0]],
    ['from=2024-09-30T12:01:00Z&to=2024-09-30T12:03:00Z&sanctioned=true', [3, 1]],
  ])('%s', async (query, expected) => {
    const { headers: sent, body } = await list(`${query}&count=true`)
    expect(found(body)).toEqual(expected)
    expect(sent.get('x-total-count')).toBe(String(expected.length))
  })

  test.each(['asc', 'desc'])('page by page, %s', async (order) => {
    const whole = (await list(`order=${order}`)).body
    for (let n = 0; n + 1 < whole.length; n++) {
      expect((await list(`order=${order}&limit=2&after=${whole[n].jobId}`)).body).toEqual(whole.slice(n + 1, n + 3))
    }
  })

  test('a participant sees its own', async () => {
    expect(found((await list('', headers)).body)).toEqual([1])
    expect(found((await list('sanctioned=true&count=true', headers)).body)).toEqual([1])
    expect(found((await list(`address=${clean.eth}`, headers)).body)).toEqual([])
    expect(found((await list(`transactionId=${transactionId}`, headers)).body)).toEqual([])
  })

  test('400; 401', async () => {
    const wrong = ['status=lost', 'kind=x', 'transactionId=x', 'sanctioned=maybe', 'limit=201', 'from=x', 'after=x']
    for (const query of wrong) refused(await list(query), 400)
    refused(await list('', { 'x-identity': 'nonsense' }), 401)
  })
})

describe('GET /internal/search', () => {
  const search = async (q: string, more = '') =>
    (await service.get(`/internal/search?q=${q}${more}`, await service.asService('gateway'))).body
  const hits = async (q: string, more = '') => (await search(q, more)).map(({ id }: { id: string }) => ids.indexOf(id))

  test('a screening by its id, its externalId, its transaction, its address', async () => {
    expect(await hits(ids[0]?.toUpperCase() ?? '')).toEqual([0])
    expect(await hits('second')).toEqual([1])
    expect(await hits(transactionId)).toEqual([3])
    expect(await hits(listed.eth.toUpperCase())).toEqual([3, 1])
    expect(await hits('sec')).toEqual([])
    expect(await search(transactionId)).toEqual([
      {
        kind: 'screening',
        id: ids[3],
        title: `Screening of ${listed.eth.toLowerCase()}`,
        detail: `Transaction ${transactionId} on ethereum`,
        status: 'sanctioned',
        at: '2024-09-30T12:03:00.000Z',
      },
    ])
    expect((await search(nobody))[0]).toMatchObject({ title: `Screening of ${nobody}`, status: 'failed' })
  })

  test('a participant finds only its own', async () => {
    expect(await hits(listed.eth, `&participantId=${own}`)).toEqual([1])
    expect(await hits(ids[0] ?? '', `&participantId=${own}`)).toEqual([])
    expect(await hits(ids[1] ?? '', `&participantId=${own}`)).toEqual([1])
  })
})
