import { describe, expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { until } from '@bursar/testing'
import { startLane } from './lane'

/** Work in memory: when it is due, by its id. A clock that a millisecond passes on at each look at it. */
function lane(dueAt: Map<string, number>, run: (id: string) => Promise<void>, width = 2) {
  let ms = 0
  const started = startLane({
    due: async (at, limit) => idsOf((due) => due <= at.getTime()).slice(0, limit),
    nextDueAt: async (at) => {
      const [next] = idsOf((due) => due > at.getTime())
      return next === undefined ? null : new Date(dueAt.get(next) ?? 0)
    },
    run,
    width,
    now: () => new Date(ms++),
    log: silentLog,
  })
  const idsOf = (isWanted: (due: number) => boolean) =>
    [...dueAt]
      .filter(([, due]) => isWanted(due))
      .sort((one, other) => one[1] - other[1])
      .map(([id]) => id)
  return started
}

describe('a lane', () => {
  test('loses nothing that becomes due while it looks', async () => {
    const dueAt = new Map<string, number>(Array.from({ length: 20 }, (_, i) => [`w${i}`, i]))
    const done: string[] = []
    const started = lane(dueAt, async (id) => {
      dueAt.delete(id)
      done.push(id)
    })
    started.wake()
    await until(() => done.length === 20)
    await started.stop()
  })

  test('takes so many at a time, the oldest first, and each once', async () => {
    const dueAt = new Map([
      ['a', 0],
      ['b', 0],
      ['c', 0],
    ])
    const ends = new Map<string, () => void>()
    const begun: string[] = []
    const started = lane(dueAt, (id) => {
      begun.push(id)
      return new Promise<void>((resolve) => ends.set(id, resolve)).then(() => void dueAt.delete(id))
    })
    started.wake()
    await until(() => begun.length === 2)
    started.wake()
    ends.get('b')?.()
    await until(() => begun.length === 3)
    expect(begun).toEqual(['a', 'b', 'c'])
    for (const end of ends.values()) end()
    await started.stop()
    expect(dueAt.size).toBe(0)
  })

  test('leaves what it could not settle alone for a second, and comes back to it', async () => {
    const dueAt = new Map([['a', 0]])
    const tries: number[] = []
    const started = lane(dueAt, async () => {
      tries.push(performance.now())
      if (tries.length === 1) throw new Error('The disk is full')
      dueAt.clear()
    })
    started.wake()
    await until(() => dueAt.size === 0)
    expect((tries[1] ?? 0) - (tries[0] ?? 0)).toBeGreaterThan(900)
    await started.stop()
  })
})
