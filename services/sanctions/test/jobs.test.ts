import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SanctionsJobCompleted } from '@bursar/contracts/sanctions'
import { type DeliveryRequest, DeliveryRequested, sealedHeaders } from '@bursar/contracts/webhook'
import { type LocalServer, localServer, tempDir } from '@bursar/testing'
import { nobody } from '@bursar/testing/service'
import { endJobs } from '../src/jobs/end-job'
import type { JobRow } from '../src/jobs/jobs'
import { jobQueue } from '../src/jobs/run-jobs'
import { clean, listed, refused, runDue, type TestSanctions, testSanctions } from './harness'

const hash = `0x${'cd'.repeat(32)}`
const participantId = '018f2f3e-0000-7000-8000-0000000000aa'
let chain: LocalServer
let service: TestSanctions
beforeAll(async () => {
  chain = localServer(() => new Response('', { status: 503 }))
  service = await testSanctions({
    urls: { blockchain: chain.url },
    env: { SANCTIONS_CALLBACK_URL: 'https://bank.example/sanctions' },
  })
})
afterAll(async () => {
  await service.close()
  await chain.stop()
})

const address = (fields: object = {}) => ({
  externalId: crypto.randomUUID(),
  address: clean.eth,
  blockchain: 'ethereum',
  ...fields,
})
const transaction = () => ({ externalId: crypto.randomUUID(), transactionId: hash, blockchain: 'ethereum' })
const jobOf = async (jobId: string, from = service) => (await from.get(`/sanctions/jobs/${jobId}`)).body
const deliveryOf = async (requestId: string, from = service) => {
  const all = (await from.events()).filter(({ name }) => name === DeliveryRequested.name)
  return all.map(({ data }) => data as DeliveryRequest).filter((request) => request.requestId === requestId)
}
const endedOf = async (jobId: string, from = service) =>
  (await from.events())
    .filter(({ name, data }) => name === SanctionsJobCompleted.name && (data as { jobId: string }).jobId === jobId)
    .map(({ data }) => data as SanctionsJobCompleted)

describe.each([
  ['/sanctions/verify-address', address],
  ['/sanctions/verify-transaction', transaction],
])('POST %s', (path, body) => {
  test('202 with a pending job', async () => {
    const asked = body()
    const answer = await service.post(path, asked)
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual({ jobId: answer.body.jobId, externalId: asked.externalId, status: 'pending' })
    expect(await jobOf(answer.body.jobId)).toMatchObject({ status: 'pending', result: null, attempts: 0 })
  })

  test('409 for an externalId of another job of this kind', async () => {
    const asked = body()
    expect((await service.post(path, asked)).status).toBe(202)
    expect(refused(await service.post(path, { ...body(), externalId: asked.externalId }), 409)).toEqual([
      'A job of this kind with this externalId already exists',
    ])
  })

  test('of many concurrent requests with one externalId, one is accepted', async () => {
    const asked = body()
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.post(path, asked)))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(19).fill(409)])
  })

  test('400 names every field that is missing or wrong', async () => {
    expect(refused(await service.post(path, {}), 400)).toHaveLength(3)
    expect(refused(await service.post(path, { ...body(), externalId: 5, callbackHeaders: [] }), 400)).toHaveLength(2)
  })

  test.each([
    [{ 'x-list': ['a'] }, 'callbackHeaders.x-list must be one line of text'],
    [{ 'x-two': 'a\r\nx-three: b' }, 'callbackHeaders.x-two must be one line of text'],
    [{ 'x-four': 'a\rb' }, 'callbackHeaders.x-four must be one line of text'],
    [{ 'x-five': 'a\0b' }, 'callbackHeaders.x-five must be one line of text'],
    [{ 'x-six': '€' }, 'callbackHeaders.x-six must be one line of text'],
    [{ 'no name': 'a' }, 'callbackHeaders has an invalid header name'],
    [{ long: 'a'.repeat(9000) }, 'callbackHeaders must not be larger than 8192 bytes'],
  ])('400 for headers that cannot be sent: %j', async (callbackHeaders, problem) => {
    expect(refused(await service.post(path, { ...body(), callbackHeaders }), 400)).toEqual([problem])
  })

  test('a repeated idempotency key gives the same job', async () => {
    const asked = body()
    const headers = { 'idempotency-key': asked.externalId }
    const first = await service.post(path, asked, headers)
    const again = await service.post(path, asked, headers)
    expect([again.status, again.body]).toEqual([202, first.body])
  })
})

test('one externalId may name a job of each kind', async () => {
  const externalId = crypto.randomUUID()
  expect((await service.post('/sanctions/verify-address', { ...address(), externalId })).status).toBe(202)
  expect((await service.post('/sanctions/verify-transaction', { ...transaction(), externalId })).status).toBe(202)
})

describe('a job', () => {
  test('ends with its result, its event and its delivery', async () => {
    const headers = { authorization: 'Bearer secret' }
    const asked = address({ address: listed.eth, callbackHeaders: headers })
    const as = await service.asParticipant(participantId)
    const { jobId } = (await service.post('/sanctions/verify-address', asked, as)).body
    await runDue(service.deps)
    const job = await jobOf(jobId)
    expect(job).toMatchObject({ status: 'completed', kind: 'address', error: null, attempts: 1 })
    expect(job.result).toMatchObject({ address: listed.eth, sanctioned: true })
    expect(await endedOf(jobId)).toEqual([
      {
        v: 1,
        jobId,
        kind: 'address',
        externalId: asked.externalId,
        participantId,
        status: 'completed',
        result: job.result,
        error: null,
        listId: service.deps.list.get().row.id,
        at: job.updatedAt,
      },
    ])
    const [request, ...more] = await deliveryOf(jobId)
    expect(more).toEqual([])
    expect(request).toEqual({
      v: 1,
      requestId: jobId,
      eventType: 'sanctions.completed',
      participantId,
      fallbackUrl: 'https://bank.example/sanctions',
      headers: expect.any(String),
      payload: {
        type: 'sanctions.completed',
        timestamp: job.updatedAt,
        data: { jobId, externalId: asked.externalId, status: 'completed', result: job.result },
      },
    })
    expect(JSON.stringify(await service.events())).not.toContain('Bearer secret')
    const opened = service.deps.sealFor(sealedHeaders).open(request?.headers ?? '', jobId)
    expect(JSON.parse(opened)).toEqual(headers)
  })

  test('is visible to its participant only', async () => {
    const as = await service.asParticipant(participantId)
    const { jobId } = (await service.post('/sanctions/verify-address', address(), as)).body
    const other = await service.asParticipant('018f2f3e-0000-7000-8000-0000000000bb')
    expect(refused(await service.get(`/sanctions/jobs/${jobId}`, other), 404)).toEqual(['Job not found'])
    expect((await service.get(`/sanctions/jobs/${jobId}`, as)).status).toBe(200)
  })

  test('404 for an unknown id, 400 for an invalid one', async () => {
    expect(refused(await service.get(`/sanctions/jobs/${nobody}`), 404)).toEqual(['Job not found'])
    expect(refused(await service.get('/sanctions/jobs/x'), 400)).toHaveLength(1)
  })

  test('is retried with growing pauses, and fails after the last attempt', async () => {
    chain.answer(() => new Response('', { status: 503 }))
    const { jobId } = (await service.post('/sanctions/verify-transaction', transaction())).body
    await runDue(service.deps)
    expect(await jobOf(jobId)).toMatchObject({ status: 'pending', attempts: 1, error: expect.any(String) })
    await runDue(service.deps)
    expect((await jobOf(jobId)).attempts).toBe(1)
    for (const pauseMs of [1000, 5000, 30_000, 120_000]) {
      service.clock.advance(pauseMs - 1)
      await runDue(service.deps)
      const { attempts } = await jobOf(jobId)
      service.clock.advance(1)
      await runDue(service.deps)
      expect((await jobOf(jobId)).attempts).toBe(attempts + 1)
    }
    expect(await deliveryOf(jobId)).toEqual([])
    service.clock.advance(600_000)
    await runDue(service.deps)
    expect(await jobOf(jobId)).toMatchObject({ status: 'failed', attempts: 6, result: null })
    const [request] = await deliveryOf(jobId)
    expect(request).toMatchObject({ eventType: 'sanctions.failed', headers: null, participantId: null })
    expect(request?.payload).toMatchObject({
      type: 'sanctions.failed',
      data: { jobId, status: 'failed', result: null },
    })
    expect(await endedOf(jobId)).toMatchObject([{ status: 'failed', result: null }])
  })

  test('ends once, also when a worker returns after its lease', async () => {
    const alone = await testSanctions()
    const { jobId } = (await alone.post('/sanctions/verify-address', address())).body
    const late = (await jobQueue.claim(alone.store, { now: alone.clock(), limit: 1 }))[0]
    alone.clock.advance(60_000)
    await runDue(alone.deps)
    const outcome = { at: alone.clock(), callbackUrl: undefined }
    await alone.store.commit((tx) => endJobs(tx, [{ job: late as JobRow, outcome: { error: 'late' } }], outcome))
    expect((await jobOf(jobId, alone)).status).toBe('completed')
    expect(await deliveryOf(jobId, alone)).toHaveLength(1)
    await alone.close()
  })

  test('whose lease another worker has taken over stays that worker’s: what was found is not written', async () => {
    const alone = await testSanctions()
    const { jobId } = (await alone.post('/sanctions/verify-address', address())).body
    let taken: unknown[] = []
    const slow = {
      provider: 'slow',
      isHere: false,
      covers: () => true,
      async ask() {
        // By its clock the lease has ended.
        const now = new Date(alone.clock().getTime() + 60_000)
        taken = await jobQueue.claim(alone.store, { now, limit: 1 })
        return { match: false, details: {} }
      },
    }
    await runDue({ ...alone.deps, sources: [slow] })
    expect(taken).toHaveLength(1)
    expect((await jobOf(jobId, alone)).status).toBe('pending')
    expect(await endedOf(jobId, alone)).toEqual([])
    await alone.close()
  })

  test('completes when the source is back', async () => {
    const { jobId } = (await service.post('/sanctions/verify-transaction', transaction())).body
    await runDue(service.deps)
    chain.answer(() => Response.json({ network: 'ethereum', txHash: hash, from: [listed.eth], to: [clean.eth] }))
    service.clock.advance(1000)
    await runDue(service.deps)
    const job = await jobOf(jobId)
    expect([job.status, job.attempts, job.error]).toEqual(['completed', 2, null])
    expect(job.result).toMatchObject({ transactionId: hash, sanctioned: true })
  })
})

test('a clock that is set back delays no job', async () => {
  const alone = await testSanctions({ at: '2024-09-30T12:00:00.000Z' })
  const { jobId } = (await alone.post('/sanctions/verify-address', address())).body
  alone.clock.advance(-24 * 60 * 60 * 1000)
  await runDue(alone.deps)
  expect((await jobOf(jobId, alone)).status).toBe('completed')
  await alone.close()
})

describe('a caller with an API key', () => {
  const owner = { id: participantId }
  const keyOf = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('hex')
  const withOwners = () =>
    testSanctions({
      client: () => {
        const find = async (_call: unknown, input?: { params?: Record<string, string> }) =>
          input?.params?.keyHash === keyOf('sk_live_1') ? (owner as never) : null
        return { find, call: find as never }
      },
    })

  test('is the participant that owns the key', async () => {
    const alone = await withOwners()
    const { jobId } = (await alone.post('/sanctions/verify-address', address(), { 'x-api-key': 'sk_live_1' })).body
    await runDue(alone.deps)
    expect(await deliveryOf(jobId, alone)).toMatchObject([{ participantId }])
    await alone.close()
  })

  test('401 for an unknown key, and no job', async () => {
    const alone = await withOwners()
    const asked = address()
    expect(
      refused(await alone.post('/sanctions/verify-address', asked, { 'x-api-key': 'sk_live_2' }), 401),
    ).toHaveLength(1)
    expect((await alone.post('/sanctions/verify-address', asked)).status).toBe(202)
    await alone.close()
  })
})

describe('a restart', () => {
  test('in the middle of a job: the job ends, once, after its lease expires', async () => {
    const dataDir = tempDir()
    const before = await testSanctions({ dataDir })
    const { jobId } = (await before.post('/sanctions/verify-address', address())).body
    await jobQueue.claim(before.store, { now: before.clock(), limit: 1 })
    await before.close()

    const after = await testSanctions({ dataDir })
    await runDue(after.deps)
    expect((await jobOf(jobId, after)).status).toBe('pending')
    after.clock.advance(60_000)
    await Promise.all([runDue(after.deps), runDue(after.deps)])
    expect((await jobOf(jobId, after)).status).toBe('completed')
    expect(await deliveryOf(jobId, after)).toHaveLength(1)
    expect(await endedOf(jobId, after)).toHaveLength(1)
    await after.close()
  })
})
