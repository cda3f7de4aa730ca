import { inviteUser } from '@bursar/contracts/identity-manager'
import { admitParticipant } from '@bursar/contracts/participant'
import { CallError } from '@bursar/http'
import { issuedKeys, validApiKey } from '../api-keys/api-keys'
import { newKey } from '../api-keys/key-text'
import type { MainApiDeps } from '../deps'
import { getParticipant } from '../participants/participants'
import type { HandoverRow } from './handovers'
import type { HandoverKind } from './handovers.table'

/** What was handed over is good until this moment; null for ever. */
type GoodUntil = Date | null

interface Handing {
  /** Carries it out; may be done many times. Rejects with CallError. */
  handOver(deps: MainApiDeps, handover: HandoverRow): Promise<GoodUntil>
  /** The statuses of an answer after which no repeat will do. */
  refusals: readonly number[]
}

/** How each kind of handover is done. */
export const handings: Readonly<Record<HandoverKind, Handing>> = {
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
    if (error instanceof CallError && error.status === 422) return
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
