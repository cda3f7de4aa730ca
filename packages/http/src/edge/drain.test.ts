import { expect, test } from 'bun:test'
import { fakeTimers } from '@bursar/testing'
import { createDrain } from './drain'

const fakeClock = () => ({ ...fakeTimers(), async caughtUp() {} })

/** Whether it is settled by now. */
async function isOver(work: Promise<unknown>): Promise<boolean> {
  let over = false
  void work.then(() => {
    over = true
  })
  for (let i = 0; i < 20; i++) await Promise.resolve()
  return over
}

test('a service that nobody asks ends at once, and says so from then on', async () => {
  const drain = createDrain(fakeClock())
  expect(drain.isEnding()).toBe(false)
  const over = drain.begin()
  expect(drain.isEnding()).toBe(true)
  expect(await isOver(over)).toBe(true)
})

test('one that was asked just now waits until nobody has asked for a moment', async () => {
  const clock = fakeClock()
  const drain = createDrain(clock)
  drain.arrived()
  await clock.advance(30)
  const over = drain.begin()
  expect(await isOver(over)).toBe(false)
  drain.arrived()
  await clock.advance(40)
  expect(await isOver(over)).toBe(false)
  await clock.advance(10)
  expect(await isOver(over)).toBe(true)
})

test('and ends after a second where requests never cease', async () => {
  const clock = fakeClock()
  const drain = createDrain(clock)
  drain.arrived()
  const over = drain.begin()
  for (let i = 0; i < 99; i++) {
    await clock.advance(10)
    drain.arrived()
    expect([i, await isOver(over)]).toEqual([i, false])
  }
  await clock.advance(10)
  expect(await isOver(over)).toBe(true)
})

test('what came while the process did not run keeps it from ending', async () => {
  const late = [1, 2]
  const clock = {
    ...fakeTimers(),
    async caughtUp() {
      if (late.pop()) drain.arrived()
    },
  }
  const drain = createDrain(clock)
  const over = drain.begin()
  for (const isNow of [false, false, true]) {
    expect(await isOver(over)).toBe(isNow)
    await clock.advance(50)
  }
})
