import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog } from '@bursar/contracts/log'
import { type OpenStore, openStore } from '@bursar/store'
import { idempotencyKeys } from '@bursar/store/schema'
import { tempDir } from '@bursar/testing'
import { createSeal, openSealingKey, resealPlace, type Seal, sealedAnswers } from '../src'
import { keyLines, rotateKeyFile } from '../src/secrets/key-file'
import { startResealing } from '../src/secrets/resealing'

const migrations = join(import.meta.dir, '../../../services/message/migrations/sqlite')
const until = new Date('2026-03-01T00:00:00Z')
const before = new Date(until.getTime() - 1)

let store: OpenStore
let folder: string
let seal: Seal
beforeEach(async () => {
  folder = tempDir()
  store = await openStore({ service: 'message', file: join(folder, 'x.sqlite'), migrations })
  seal = createSeal(openSealingKey(folder, 'some.key'))
})
afterEach(() => store.close())

const rows = () => store.read.select({ key: idempotencyKeys.key, body: idempotencyKeys.body }).from(idempotencyKeys)
const keep = (key: string, body: string) =>
  store.commit(async (tx) => {
    await tx.insert(idempotencyKeys).values({ scope: 's', key, requestHash: '', status: 200, body, createdAt: before })
  })
const lines = () => keyLines(readFileSync(join(folder, 'some.key'), 'utf8')) ?? []
function rotate(): void {
  rotateKeyFile(folder, 'some.key', until)
  seal.ring.refresh()
}
const isNewest = (text: string) => text.startsWith(`v1.${seal.ring.keys()[0]?.id}.`)

describe('a walk', () => {
  test('seals everything again, over many commits, and leaves what is not sealed', async () => {
    for (let i = 0; i < 450; i++) await keep(`k${i}`, seal.seal(`answer ${i}`, `s k${i}`))
    await keep('plain', '{"a":"v1.0"}')
    rotate()
    expect(await resealPlace(store, sealedAnswers(seal))).toEqual({ changed: 450, broken: 0 })
    const found = await rows()
    expect(found.filter(({ key, body }) => key !== 'plain' && !isNewest(body))).toEqual([])
    expect(found.map(({ key, body }) => (key === 'plain' ? body : seal.open(body, `s ${key}`)))).toEqual([
      ...Array.from({ length: 450 }, (_, i) => `answer ${i}`),
      '{"a":"v1.0"}',
    ])
    expect(await resealPlace(store, sealedAnswers(seal))).toEqual({ changed: 0, broken: 0 })
  })

  test('counts what no key opens, and goes on behind it', async () => {
    const foreign = createSeal(Buffer.alloc(32, 9)).seal('x', 's a')
    await keep('a', foreign)
    await keep('b', seal.seal('y', 's b'))
    rotate()
    expect(await resealPlace(store, sealedAnswers(seal))).toEqual({ changed: 1, broken: 1 })
    expect((await rows()).map(({ body }) => body === foreign)).toEqual([true, false])
  })
})

describe('the worker', () => {
  let now: Date
  const started = (againMs?: number, log = silentLog) =>
    startResealing([], [sealedAnswers(seal)], { store, log, now: () => now, againMs })
  beforeEach(() => {
    now = before
  })

  test('walks after a rotation, and says when nothing is sealed by an earlier key', async () => {
    await keep('a', seal.seal('x', 's a'))
    const worker = started()
    rotate()
    expect(worker.states()).toMatchObject([{ name: 'some.key', resealed: false }])
    await worker.runNow()
    expect(worker.states()).toMatchObject([{ name: 'some.key', resealed: true }])
    expect((await rows()).map(({ body }) => isNewest(body))).toEqual([true])
    await worker.stop()
  })

  test('removes an ended key after its end, once a second walk has found nothing', async () => {
    rotate()
    const [patient, worker] = [started(), started(0)]
    now = until
    // A request may have sealed with it before the first walk, and commit only now.
    await patient.runNow()
    await patient.runNow()
    expect(lines()).toHaveLength(2)
    await patient.stop()
    now = before
    await worker.runNow()
    await worker.runNow()
    expect(lines()).toHaveLength(2)
    now = until
    await worker.runNow()
    expect(lines()).toHaveLength(1)
    await worker.stop()
  })

  test('seals again what was committed after that walk before it removes the key', async () => {
    const late = seal.seal('x', 's late')
    rotate()
    const worker = started(0)
    await worker.runNow()
    await worker.runNow()
    await keep('late', late)
    now = until
    await worker.runNow()
    expect(lines()).toHaveLength(1)
    expect((await rows()).map(({ body }) => isNewest(body))).toEqual([true])
    await worker.stop()
  })

  test('keeps an ended key while something does not open', async () => {
    await keep('a', createSeal(Buffer.alloc(32, 9)).seal('x', 's a'))
    rotate()
    now = until
    const told: object[] = []
    const worker = started(0, { ...silentLog, error: (fields) => void told.push(fields) })
    for (let i = 0; i < 3; i++) await worker.runNow()
    expect(lines()).toHaveLength(2)
    expect(told).toEqual([{ place: sealedAnswers(seal).column.name, broken: 1 }])
    await keep('b', createSeal(Buffer.alloc(32, 9)).seal('x', 's b'))
    for (let i = 0; i < 3; i++) await worker.runNow()
    expect(told.slice(1)).toEqual([{ place: sealedAnswers(seal).column.name, broken: 2 }])
    await worker.stop()
  })

  test('says that a key is missing until it is a further line of the file', async () => {
    await keep('a', seal.seal('x', 's a'))
    const lost = readFileSync(join(folder, 'some.key'), 'utf8')
    const whole = started()
    await whole.runNow()
    expect(whole.problem()).toBeNull()
    await whole.stop()
    rmSync(join(folder, 'some.key'))
    seal = createSeal(openSealingKey(folder, 'some.key'))
    const worker = started(0)
    await worker.runNow()
    expect(worker.problem()).toStartWith('some.key lacks the key by which older records are sealed')
    appendFileSync(join(folder, 'some.key'), lost)
    seal.ring.refresh()
    await worker.runNow()
    expect(worker.problem()).toBeNull()
    expect((await rows()).map(({ body }) => seal.open(body, 's a'))).toEqual(['x'])
    await worker.stop()
  })
})
