// The services of a process share connections to a server: each statement names its schema.
import { most } from '../engine/connection-limits'
import { StoreClosedError } from '../engine/errors'
import { byIndexes, openPool, type Pool, type Taken } from './pool'

/** Connections for commits, and for reads: a long read holds up no commit. */
export type Use = 'commits' | 'reads'

const settings = { commits: byIndexes, reads: {} }

/** A closing pool waits at most this long for reads. */
const longestMs = 5000

interface Shared {
  /** Pools of one connection each: a pool of several would open all of them. */
  free: Pool[]
  gate: Gate
  users: number
}

const all = new Map<string, Shared>()

/** Connections for a service: at most its own limit, and what the services that share them leave. */
export function sharePool(url: string, use: Use): Pool {
  const key = `${use} ${url}`
  const shared = all.getOrInsertComputed(key, () => newShared(use))
  shared.users += 1
  const own = gateOf(() => most[use].one)
  let isClosed = false

  return {
    async take() {
      if (isClosed) throw new StoreClosedError('The store is closed')
      const leaveOwn = await own.enter()
      const leaveShared = await shared.gate.enter()
      const leave = () => {
        leaveShared()
        leaveOwn()
      }
      const pool = shared.free.pop() ?? openPool(url, 1, settings[use])
      const giveBack = () => {
        if (all.get(key) === shared) shared.free.push(pool)
        else void pool.close()
        leave()
      }
      try {
        return leaving(await pool.take(), giveBack)
      } catch (error) {
        giveBack()
        throw error
      }
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await Promise.race([own.emptied(), Bun.sleep(longestMs)])
      shared.users -= 1
      if (shared.users > 0) return
      all.delete(key)
      await Promise.all(shared.free.map((pool) => pool.close()))
    },
  }
}

function newShared(use: Use): Shared {
  const shared: Shared = {
    free: [],
    // A single service opens no more than its own limit.
    gate: gateOf(() => Math.min(most[use].all, most[use].one * shared.users)),
    users: 0,
  }
  return shared
}

const leaving = (taken: Taken, leave: () => void): Taken => ({
  ...taken,
  release() {
    taken.release()
    leave()
  },
  drop() {
    taken.drop()
    leave()
  },
})

type Gate = ReturnType<typeof gateOf>

function gateOf(room: () => number) {
  const waiting: (() => void)[] = []
  let within = 0
  let empty = () => {}
  const leave = () => {
    within -= 1
    while (within < room() && waiting.length > 0) {
      within += 1
      waiting.shift()?.()
    }
    if (within === 0) empty()
  }
  return {
    /** Resolves when there is room, in the order of the calls, with a function that leaves. */
    enter(): Promise<() => void> {
      if (within < room() && waiting.length === 0) {
        within += 1
        return Promise.resolve(leave)
      }
      return new Promise((resolve) => waiting.push(() => resolve(leave)))
    },
    /** Resolves when nobody is inside or waiting. */
    emptied: () =>
      new Promise<void>((resolve) => {
        if (within === 0) resolve()
        else empty = resolve
      }),
  }
}
