import { CallError } from '@bursar/http'
import { type Claimed, type WorkLoop, workOn } from '@bursar/store'
import type { MainApiDeps } from '../deps'
import { handings } from './hand-over'
import { type HandoverRow, handoverQueue, noteHandover } from './handovers'

/** Hands over what is due, and what falls due: as soon as something is requested, else every second. */
export function startHanding(deps: MainApiDeps): WorkLoop {
  const { store, now, log } = deps
  const loop = workOn(handoverQueue, {
    store,
    now,
    log,
    name: 'The handovers of participants',
    handle: async (rows) => {
      for (const row of rows) await handOver(deps, row)
    },
    places: 1,
    batch: 1,
    lookMs: 1000,
  })
  deps.wakes.on(() => void loop.wake())
  return loop
}

async function handOver(deps: MainApiDeps, row: Claimed<HandoverRow>): Promise<void> {
  const { store, now, log } = deps
  const { kind, participantId } = row
  const { handOver, refusals } = handings[kind]
  let goodUntil: Date | null
  try {
    goodUntil = await handOver(deps, row)
  } catch (error) {
    const isRefused = error instanceof CallError && error.problem === 'refused' && refusals.includes(error.status ?? 0)
    const words = `The ${kind} of a participant ${isRefused ? 'was refused' : 'failed; it is repeated'}`
    log[error instanceof CallError ? 'warn' : 'error']({ err: error, participantId }, words)
    return await fail(
      deps,
      row,
      error instanceof CallError ? error.message : 'Internal error; the log says more',
      isRefused,
    )
  }
  await store.commit(async (tx) => {
    await handoverQueue.finish(tx, [row], { dueAt: goodUntil })
    await noteHandover(tx, row, { status: 'done', doneAt: now(), lastError: null })
  })
}

const fail = (
  { store, now }: MainApiDeps,
  row: Claimed<HandoverRow>,
  error: string,
  isRefused: boolean,
): Promise<void> =>
  store.commit(async (tx) => {
    if (!isRefused) return await handoverQueue.reschedule(tx, row, { now: now(), error })
    await handoverQueue.finish(tx, [row])
    await noteHandover(tx, row, { status: 'failed', doneAt: row.doneAt, lastError: error })
  })
