import { inviteUser } from '@bursar/contracts/identity-manager'
import { admitParticipant } from '@bursar/contracts/participant'
import { isCallError, isRefused } from '@bursar/http'
import { type Claimed, sideBySide, type WorkLoop, workOn } from '@bursar/store'
import type { MainApiDeps } from '../deps'
import { keysToTell, newKey } from './api-keys'
import { type HandoverRow, handoverQueue, noteHandover } from './handovers'
import type { HandoverKind } from './handovers.table'
import { getParticipant } from './participants'

/** Carries out due handovers: as soon as one is requested, else every second. */
export function startHanding(deps: MainApiDeps): WorkLoop {
  const { store, now, log } = deps
  const loop = workOn(handoverQueue, {
    store,
    now,
    log,
    name: 'Handing over participants',
    handle: (rows) => sideBySide(rows, (row) => handOver(deps, row)),
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
    const isFinal = isRefused(error, ...refusals) && !mayBeRunning(error, row)
    const words = `The ${kind} of a participant ${isFinal ? 'was refused' : 'failed; it is repeated'}`
    log[isCallError(error) ? 'warn' : 'error']({ err: error, participantId }, words)
    const reason = isCallError(error) ? error.message : 'Internal error; the log says more'
    return await fail(deps, row, reason, isFinal)
  }
  await store.commit(async (tx) => {
    await handoverQueue.finish(tx, [row], { dueAt: goodUntil })
    await noteHandover(tx, row, { status: 'done', doneAt: now(), lastError: null })
  })
}

/** The pauses between so many attempts are half a minute together: no request runs for that long. */
const fewAttempts = 5

/** A conflict after an attempt without an answer may be with that attempt, which is still being worked on. */
const mayBeRunning = (error: unknown, { attempts }: HandoverRow): boolean =>
  isRefused(error, 409) && attempts > 0 && attempts <= fewAttempts

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

/**
 * How each kind of handover is carried out, idempotently: gives when it must be repeated, null for never, or rejects with
 * CallError. And the statuses for which a retry is useless.
 */
const handings: Readonly<Record<HandoverKind, { handOver: typeof admit; refusals: readonly number[] }>> = {
  // 400: invalid address or role; 409: the address is taken.
  invitation: { handOver: invite, refusals: [400, 409] },
  // 404: the participant was deleted there.
  admission: { handOver: admit, refusals: [404] },
}

/** Each request of an invitation has its own idempotency key, because the previous one may have another address. */
async function invite({ client, store }: MainApiDeps, { participantId, revision }: HandoverRow): Promise<null> {
  const { name, email } = await getParticipant(store.read, participantId)
  const body = { email, name, roleNames: ['participant-admin' as const], participantId, custodianId: null }
  const idempotencyKey = revision === 1 ? participantId : `${participantId}:${revision}`
  await client.call(inviteUser, { body, idempotencyKey }).catch((error: unknown) => {
    // The key was used with another body: an attempt before a change of the participant succeeded.
    if (isRefused(error, 422)) return
    throw error
  })
  return null
}

/**
 * With its newest key while it is valid, else with a generated secret one, because a participant must have one. The
 * expiries of all its keys are included. Keys that were set at the participant service end by the first of the keys that
 * are new to it; those of an offboarded participant end at once.
 */
async function admit(
  { client, store, seal, config, now }: MainApiDeps,
  { participantId, doneAt }: HandoverRow,
): Promise<Date | null> {
  const { name: institutionName, status } = await getParticipant(store.read, participantId)
  const told = await keysToTell(store.read, participantId, doneAt, now())
  const { key, issued } = told
  const previousUntil = status === 'OFFBOARDED' ? now() : key && told.previousUntil
  const body = {
    institutionName,
    authConsumerId: key ? seal.open(key.sealedKey, key.id) : newKey(config.environment),
    isPlaceholder: !key,
    ...(previousUntil ? { previousUntil: previousUntil.toISOString() } : {}),
    issued,
  }
  await client.call(admitParticipant, { params: { id: participantId }, body })
  return key?.expiresAt ?? null
}
