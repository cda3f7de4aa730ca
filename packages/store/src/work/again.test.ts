import { expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { again } from './again'

const longMs = 60_000

function gated() {
  const gates: PromiseWithResolvers<void>[] = []
  const work = () => {
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    return gate.promise
  }
  const loop = again(longMs, work, { log: silentLog, name: 'The work' })
  return { gates, loop }
}

test('a wake during a run makes one more follow, however many there were', async () => {
  const { gates, loop } = gated()
  const done = loop.wake()
  expect(gates).toHaveLength(1)
  void loop.wake()
  void loop.wake()
  gates[0]?.resolve()
  await gates[0]?.promise
  while (gates.length < 2) await Promise.resolve()
  expect(loop.idle?.()).toBe(false)
  gates[1]?.resolve()
  await done
  expect(gates).toHaveLength(2)
  expect(loop.idle?.()).toBe(true)
  await loop.stop()
})

test.each([0, 1, 2, 3, 4, 5, 6])(
  'a wake %i microtasks after the work of a run makes another follow',
  async (moments) => {
    const { gates, loop } = gated()
    void loop.wake()
    gates[0]?.resolve()
    for (let n = 0; n < moments; n++) await Promise.resolve()
    const done = loop.wake()
    for (let n = 0; n < 50 && gates.length < 2; n++) await Promise.resolve()
    expect(gates).toHaveLength(2)
    gates[1]?.resolve()
    await done
    expect(gates).toHaveLength(2)
    expect(loop.idle?.()).toBe(true)
    await loop.stop()
  },
)

test('a stop lets the run end, and no other follow', async () => {
  const { gates, loop } = gated()
  void loop.wake()
  void loop.wake()
  const stopped = loop.stop()
  gates[0]?.resolve()
  await stopped
  await loop.wake()
  expect(gates).toHaveLength(1)
})
