import { expect, jest, spyOn, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { every } from './every'

const options = { log: silentLog, name: 'A test’s work' }

test('repeats after the pause, give or take a tenth', async () => {
  jest.useFakeTimers()
  let runs = 0
  const loop = every(1000, async () => void runs++, options)
  jest.advanceTimersByTime(999)
  expect(runs).toBe(0)
  jest.advanceTimersByTime(1)
  expect(runs).toBe(1)
  await loop.runNow()
  const before = runs
  jest.advanceTimersByTime(899)
  expect(runs).toBe(before)
  jest.advanceTimersByTime(201)
  expect(runs).toBe(before + 1)
  await loop.stop()
  jest.useRealTimers()
})

test('never runs twice at once: who asks meanwhile joins the run', async () => {
  const gate = Promise.withResolvers<void>()
  let runs = 0
  const loop = every(
    10_000,
    () => {
      runs += 1
      return gate.promise
    },
    options,
  )
  const first = loop.runNow()
  const second = loop.runNow()
  gate.resolve()
  await Promise.all([first, second])
  expect(runs).toBe(1)
  await loop.stop()
})

test('a run that fails is logged, and the next one comes', async () => {
  const errors: unknown[] = []
  let runs = 0
  const log = { ...silentLog, error: (fields: unknown) => void errors.push(fields) }
  const loop = every(
    10_000,
    async () => {
      runs += 1
      if (runs === 1) throw new Error('not today')
    },
    { ...options, log },
  )
  await loop.runNow()
  await loop.runNow()
  expect(runs).toBe(2)
  expect(errors).toEqual([{ err: new Error('not today'), worker: options.name }])
  await loop.stop()
})

test('what fails in each run is logged at once and then once a minute, with the number of failures; so is its end', async () => {
  const clock = spyOn(performance, 'now')
  const lines: unknown[] = []
  const note = (fields: object, message: string) => void lines.push({ ...fields, message })
  const error = new Error('the disk is full')
  let isBroken = true
  const work = async () => {
    if (isBroken) throw error
  }
  const loop = every(10_000, work, { ...options, log: { ...silentLog, error: note, info: note } })
  for (let second = 0; second <= 120; second++) {
    clock.mockReturnValue(second * 1000)
    await loop.runNow()
  }
  isBroken = false
  await loop.runNow()
  await loop.runNow()
  isBroken = true
  await loop.runNow()
  const failed = { err: error, worker: options.name, message: 'A test’s work failed; it is repeated' }
  expect(lines).toEqual([
    failed,
    { ...failed, failures: 61 },
    { ...failed, failures: 121 },
    { worker: options.name, failures: 121, message: 'A test’s work works again' },
    failed,
  ])
  clock.mockRestore()
  await loop.stop()
})

test('stop waits for the run under way, and nothing runs afterwards', async () => {
  const gate = Promise.withResolvers<void>()
  let ended = false
  let runs = 0
  const loop = every(
    10_000,
    async () => {
      runs += 1
      await gate.promise
      ended = true
    },
    options,
  )
  void loop.runNow()
  const stopping = loop.stop()
  gate.resolve()
  await stopping
  expect(ended).toBe(true)
  await loop.runNow()
  expect(runs).toBe(1)
})
