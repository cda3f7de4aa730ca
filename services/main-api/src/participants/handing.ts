import { inviteUser } from '@bursar/contracts/identity-manager'
import { admitParticipant } from '@bursar/contracts/participant'
import { isCallError, isRefused } from '@bursar/http'
import { type Claimed, type WorkLoop, workOn } from '@bursar/store'
import type { MainApiDeps } from '../deps'
import { issuedKeys, validApiKey } from './api-keys'
import { type HandoverRow, handoverQueue, noteHandover } from './handovers'
import type { HandoverKind } from './handovers.table'
import { newKey } from './key-text'
import { getParticipant } from './participants'

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
    const isFinal = isRefused(error, ...refusals)
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

/** What was handed over is good until this moment; null for ever. */
type GoodUntil = Date | null

interface Handing {
  /** Carries it out; may be done many times. Rejects with CallError. */
  handOver(deps: MainApiDeps, handover: HandoverRow): Promise<GoodUntil>
  /** The statuses of an answer after which no repeat will do. */
  refusals: readonly number[]
}

/** How each kind of handover is done. */
const handings: Readonly<Record<HandoverKind, Handing>> = {
  // 400: no address or role of the identity manager's; 409: the address is taken.
  invitation: { handOver: invite, refusals: [400, 409] },
  // 404: the participant was deleted there.
  admission: { handOver: admit, refusals: [404] },
}

/** Each time that the invitation is requested has a key of its own: the one before may stand for another address. */
async function invite({ client, store }: MainApiDeps, { participantId, revision }: HandoverRow): Promise<GoodUntil> {
  const { name, email } = await getParticipant(store.read, participantId)
  const body = { email, name, roleNames: ['participant-admin' as const], participantId, custodianId: null }
  const idempotencyKey = revision === 1 ? participantId : `${participantId}:${revision}`
  await client.call(inviteUser, { body, idempotencyKey }).catch((error: unknown) => {
    // The key stands for another body: an attempt before a change of the participant was carried out.
    if (isRefused(error, 422)) return
    throw error
  })
  return null
}

/**
 * With its newest key while that is valid, else with one that nobody is shown: a participant has to have one. The ends of
 * all its keys go along; those of an offboarded one end at once, also where they were set at the participant service.
 */
async function admit(
  { client, store, seal, config, now }: MainApiDeps,
  { participantId }: HandoverRow,
): Promise<GoodUntil> {
  const { name: institutionName, status } = await getParticipant(store.read, participantId)
  const key = await validApiKey(store.read, participantId, now())
  const issued = await issuedKeys(store.read, participantId)
  const previousUntil = status === 'OFFBOARDED' ? now() : key?.previousUntil
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
