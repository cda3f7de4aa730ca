import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { JournalSealed, type LedgerHead } from '@bursar/contracts/ledger-seals'
import type { Tx } from '@bursar/store'
import { meta } from '@bursar/store/schema'
import { type LocalServer, localServer, tempDir, until } from '@bursar/testing'
import { lineageOf } from '../src/reconciliation/heads'
import { lastSeal } from '../src/seals/read-journal'
import { sealJournal } from '../src/seals/seal-journal'
import { seals } from '../src/seals/seals.table'
import { type Ledger, openLedger } from './harness'
import { depositOf, make, makeBench, screen, withdrawalOf } from './steps'

/** The log tracker, as far as the ledger asks it: the newest head of the books that it saw last. */
let tracker: LocalServer
let heads: LedgerHead[]
let opened: Ledger[]
beforeEach(() => {
  heads = []
  opened = []
  tracker = localServer(() => {
    const newest = heads.at(-1)
    return newest ? Response.json(newest) : Response.json({ error: { message: 'none yet' } }, { status: 404 })
  })
})
afterEach(async () => {
  for (const ledger of opened) await ledger.close()
  await tracker.stop()
})

async function start(dataDir: string, env: Record<string, string> = {}, url = tracker.url): Promise<Ledger> {
  const ledger = await openLedger({ dataDir, env, urls: { 'log-tracker': url }, tuning: { booksMs: 5 } })
  opened.push(ledger)
  return ledger
}
async function stop(ledger: Ledger): Promise<void> {
  opened = opened.filter((one) => one !== ledger)
  await ledger.close()
}

/** What the ledger sent to the tracker, of that what is new to it: an older copy sends what it sent before. */
async function deliver(ledger: Ledger): Promise<LedgerHead[]> {
  const sent = (await ledger.events()).filter(({ name }) => name === JournalSealed.name)
  const isNew = ({ books, lastSeq }: LedgerHead) => !heads.some((it) => it.books === books && it.lastSeq >= lastSeq)
  const found = sent.map(({ data }) => data as LedgerHead).filter(isNew)
  heads.push(...found)
  ledger.broker.published.length = 0
  return found
}

/** Compares once more, as the next minute does. */
const compare = (ledger: Ledger) => ledger.deps.books.compare(ledger.deps)

const copyOf = (folder: string): string => {
  const copy = tempDir()
  cpSync(join(folder, 'core.sqlite'), join(copy, 'core.sqlite'))
  return copy
}

/** A ledger that has sealed, stopped; its folder, and a copy of an earlier time. */
async function sealedLedger() {
  const dataDir = tempDir()
  const ledger = await start(dataDir)
  await makeBench(ledger, '5')
  await sealJournal(ledger.deps)
  await compare(ledger)
  await deliver(ledger)
  await stop(ledger)
  const older = copyOf(dataDir)
  const again = await start(dataDir)
  await makeBench(again, '7')
  await sealJournal(again.deps)
  await compare(again)
  await deliver(again)
  await stop(again)
  return { dataDir, older }
}

/** What of an OpenAPI document a request can be made from. */
interface Operation {
  parameters?: { name: string; example?: unknown }[]
  requestBody?: { content: { 'application/json': { example?: unknown } } }
  responses: Record<string, { description?: string }>
}
type Paths = Record<string, Record<string, Operation>>

/** Tries to make a deposit; the answer's status. */
async function depositStatus(ledger: Ledger): Promise<number> {
  const bench = await makeBench(ledger, '0')
  return (await ledger.ask('POST', '/transactions/deposit', depositOf(bench))).status
}

describe('heads', () => {
  test('the newest seal goes to the tracker, once', async () => {
    const ledger = await start(tempDir())
    await deliver(ledger)
    await makeBench(ledger, '5')
    await sealJournal(ledger.deps)
    await compare(ledger)
    await compare(ledger)
    const [head, ...others] = await deliver(ledger)
    const seal = await lastSeal(ledger.store.read)
    expect(others).toEqual([])
    expect(head).toEqual({
      v: 1,
      books: (await lineageOf(ledger.store.read))?.books ?? '',
      lastSeq: 2,
      number: 1,
      hash: seal?.hash ?? '',
      sealedAt: seal?.sealedAt.toISOString() ?? '',
    })
  })

  test('a worker sends them by itself', async () => {
    const ledger = await start(tempDir())
    const workers = ledger.startWorkers()
    await until(async () => (await deliver(ledger)).length > 0)
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  test('none goes while the tracker cannot be asked: it could take the place of those that it has', async () => {
    const ledger = await start(tempDir(), {}, 'http://127.0.0.1:9')
    await compare(ledger)
    expect(await deliver(ledger)).toEqual([])
    expect(await depositStatus(ledger)).toBe(201)
  })
})

describe('a ledger file that is', () => {
  const files: [string, (of: { dataDir: string; older: string }) => string][] = [
    ['empty', () => tempDir()],
    ['older', ({ older }) => older],
  ]
  test.each(files)('%s moves no money, until NEW_BOOKS=yes', async (_, folderOf) => {
    const folder = folderOf(await sealedLedger())
    const ledger = await start(folder)
    expect(await depositStatus(ledger)).toBe(503)
    const health = await ledger.ask<{ status: string; waiting: string[] }>('GET', '/health')
    expect([health.status, health.body.status]).toEqual([200, 'degraded'])
    expect(health.body.waiting).toEqual([expect.stringMatching(/NEW_BOOKS=yes$/)])
    await compare(ledger)
    expect(await deliver(ledger)).toEqual([])
    const before = await lineageOf(ledger.store.read)
    await stop(ledger)

    const renewed = await start(folder, { NEW_BOOKS: 'yes' })
    expect(await depositStatus(renewed)).toBe(201)
    const lineage = await lineageOf(renewed.store.read)
    expect(lineage?.books).not.toBe(before?.books)
    // The tracker has the old head still, until ours has arrived.
    await compare(renewed)
    expect(await depositStatus(renewed)).toBe(201)
    expect((await deliver(renewed)).map(({ books }) => books)).toEqual([lineage?.books ?? ''])
    await stop(renewed)

    // The next start needs no setting.
    const later = await start(folder)
    expect(await depositStatus(later)).toBe(201)
  })

  test('closes the routes whose document says so, and no other', async () => {
    const ledger = await start(copyOf((await sealedLedger()).older))
    await ledger.store.commit(async (tx) => void (await tx.delete(seals)))
    await compare(ledger)
    const { paths } = (await ledger.ask<{ paths: Paths }>('GET', '/swagger/json')).body
    const closed: string[] = []
    const documented: string[] = []
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { parameters = [], requestBody, responses }] of Object.entries(methods)) {
        const name = `${method} ${path}`
        if (responses[503]?.description?.includes('No money moves')) documented.push(name)
        const filled = path.replace(/\{(\w+)\}/g, (_, word) => `${parameters.find((it) => it.name === word)?.example}`)
        const body = requestBody?.content['application/json'].example
        const answer = await ledger.ask(method.toUpperCase(), filled, body)
        if (JSON.stringify(answer.body).includes('The ledger moves no money')) closed.push(name)
      }
    }
    expect(closed.length).toBeGreaterThan(10)
    expect(documented).toEqual(closed)
  })

  const rewriting: [string, (tx: Tx) => Promise<unknown>][] = [
    ['rewritten', (tx) => tx.update(seals).set({ hash: 'f'.repeat(64) })],
    ['emptied', (tx) => tx.delete(seals)],
    ['of another lineage', (tx) => tx.update(meta).set({ value: Bun.randomUUIDv7() })],
  ]
  test.each(rewriting)('%s moves no money', async (_, tamper) => {
    const { dataDir } = await sealedLedger()
    const before = await start(dataDir)
    expect(await depositStatus(before)).toBe(201)
    await before.store.commit(async (tx) => void (await tamper(tx)))
    await stop(before)
    expect(await depositStatus(await start(dataDir))).toBe(503)
  })

  test('as it was serves, and so does an older head', async () => {
    const { dataDir } = await sealedLedger()
    const ledger = await start(dataDir)
    expect(await depositStatus(ledger)).toBe(201)
    await sealJournal(ledger.deps)
    await compare(ledger)
    expect(await depositStatus(ledger)).toBe(201)
    expect((await ledger.ask('GET', '/health')).status).toBe(200)
  })

  test('new serves while the tracker is away, and no more once it answers', async () => {
    await sealedLedger()
    const kept = heads.splice(0)
    tracker.answer(() => new Response('busy', { status: 503 }))
    const ledger = await start(tempDir())
    expect(await depositStatus(ledger)).toBe(201)
    tracker.answer(() => Response.json(kept.at(-1)))
    const workers = ledger.startWorkers()
    await until(() => ledger.deps.books.areClosed())
    expect(await depositStatus(ledger)).toBe(503)
    await Promise.all(workers.map((worker) => worker.stop()))
  })
})

describe('a ledger that moves no money', () => {
  test('refuses every route that makes or moves a transaction, and reads on', async () => {
    await sealedLedger()
    const ledger = await start(tempDir())
    const id = Bun.randomUUIDv7()
    const bench = { accountId: id, assetId: id, customerId: id }
    const transfer = { fromAccountId: id, toAccountId: Bun.randomUUIDv7(), assetId: id, amount: '1' }
    const reviews = ['approve', 'reject'].flatMap((what) =>
      ['deposit', 'withdrawal'].map((of) => `${what}-frozen-${of}`),
    )
    const gateway = '/api/v1/core/transactions'
    const orders: [string, object?][] = [
      ['/transactions/deposit', depositOf(bench)],
      ['/transactions/withdrawal', withdrawalOf(bench)],
      ['/transactions/transfer', transfer],
      ['/transactions/complete-screening', { id, isApproved: true }],
      [`/transactions/${id}/fail`, { reason: 'no' }],
      [`/transactions/${id}/retry`, {}],
      [`/transactions/${id}/release`, { reason: 'no' }],
      [`/transactions/${id}/return`, { reason: 'no' }],
      [`/transactions/${id}/cover`, { reason: 'no' }],
      ...reviews.flatMap((word): [string, object?][] => [
        [`/transactions/${id}/${word}`, word.startsWith('reject') ? { reason: 'no' } : undefined],
        [`${gateway}/${id}/${word}`, word.startsWith('reject') ? { reason: 'no' } : undefined],
      ]),
      [`${gateway}/withdrawal`, { ...withdrawalOf(bench), participantId: id, assetCode: 'USD' }],
      [`${gateway}/portfolio/execute`, { accountId: id, chainId: 1, transactionData: {} }],
      [`${gateway}/portfolio/sign-message`, { accountId: id, chainId: 1, signMode: 'PERSONAL_SIGN', message: 'x' }],
    ]
    const posts = await postsOf(ledger)
    expect(orders.length).toBe(posts.length)
    for (const [path, body] of orders) {
      const { status, body: answer } = await ledger.ask<{ message: string }>('POST', path, body)
      expect([path, status, answer.message]).toEqual([path, 503, expect.stringMatching(/moves no money/)])
    }
    expect((await ledger.ask('GET', '/transactions')).status).toBe(200)
    expect((await ledger.ask('GET', gateway)).status).toBe(200)
  })

  test('carries nothing out that was approved before', async () => {
    const dataDir = tempDir()
    const before = await start(dataDir)
    const bench = await makeBench(before, '0')
    const { id } = await make(before, 'deposit', depositOf(bench))
    await screen(before, id, true)
    await stop(before)
    heads.push({
      v: 1,
      books: Bun.randomUUIDv7(),
      lastSeq: 9,
      number: 9,
      hash: 'a'.repeat(64),
      sealedAt: new Date().toISOString(),
    })
    const ledger = await start(dataDir)
    const workers = ledger.startWorkers()
    ledger.deps.execution.wake()
    await ledger.events()
    expect(await statusOf(ledger, id)).toBe('APPROVED')
    await Promise.all(workers.map((worker) => worker.stop()))
    await stop(ledger)

    const renewed = await start(dataDir, { NEW_BOOKS: 'yes' })
    const working = renewed.startWorkers()
    await until(async () => (await statusOf(renewed, id)) === 'COMPLETED')
    await Promise.all(working.map((worker) => worker.stop()))
  })
})

const statusOf = async (ledger: Ledger, id: string) =>
  (await ledger.ask<{ status: string }>('GET', `/transactions/${id}`)).body.status

/** Every POST under /transactions, in both forms, that the service documents. */
async function postsOf(ledger: Ledger): Promise<string[]> {
  const { body } = await ledger.ask<{ paths: Record<string, object> }>('GET', '/swagger/json')
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    'post' in methods && path.includes('/transactions') ? [path] : [],
  )
}
