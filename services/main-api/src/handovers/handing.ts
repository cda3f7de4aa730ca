import { CallError } from '@bursar/http'
import { type Again, again } from '@bursar/store'
import type { MainApiDeps } from '../deps'
import { handings } from './hand-over'
import {
  dueHandovers,
  giveBack,
  type HandoverKey,
  type HandoverRow,
  longestPauseMs,
  type Outcome,
  takeHandover,
} from './handovers'

const everyMs = 1000
const atOnce = 50
const firstPauseMs = 1000

/** Hands over what is due, and what falls due: as soon as something is requested, else every second. */
export function startHanding(deps: MainApiDeps): Again {
  const loop = again(everyMs, () => handOverAll(deps), {
    log: deps.log,
    name: 'The handovers of participants',
    firstMs: 0,
  })
  deps.wakes.on(() => void loop.wake())
  return loop
}

/** Makes one attempt at each handover that is due. */
export async function handOverAll(deps: MainApiDeps): Promise<void> {
  const { store, now } = deps
  for (;;) {
    const due = await dueHandovers(store.read, atOnce, now())
    for (const key of due) await handOver(deps, key)
    if (due.length < atOnce) return
  }
}

async function handOver(deps: MainApiDeps, key: HandoverKey): Promise<void> {
  const { store, now } = deps
  const row = await store.commit((tx) => takeHandover(tx, key, now()))
  if (!row) return
  const outcome = await attempt(deps, row)
  await store.commit((tx) => giveBack(tx, row, outcome))
}

async function attempt(deps: MainApiDeps, row: HandoverRow): Promise<Outcome> {
  const { kind, participantId } = row
  const { handOver, refusals } = handings[kind]
  try {
    const goodUntil = await handOver(deps, row)
    return { status: 'done', dueAt: goodUntil, attempts: 0, doneAt: deps.now(), problem: null }
  } catch (error) {
    const isRefused = error instanceof CallError && error.problem === 'refused' && refusals.includes(error.status ?? 0)
    const words = `The ${kind} of a participant ${isRefused ? 'was refused' : 'failed; it is repeated'}`
    deps.log[error instanceof CallError ? 'warn' : 'error']({ err: error, participantId }, words)
    return failed(
      deps,
      row,
      error instanceof CallError ? error.message : 'Internal error; the log says more',
      isRefused,
    )
  }
}

function failed(deps: MainApiDeps, { attempts, doneAt }: HandoverRow, problem: string, isRefused: boolean): Outcome {
  const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(attempts, 20), longestPauseMs)
  const dueAt = isRefused ? null : new Date(deps.now().getTime() + pauseMs)
  return { status: isRefused ? 'failed' : 'pending', dueAt, attempts: attempts + 1, doneAt, problem }
}
