import { currentRequestId } from '@bursar/http'
import type { Store, Tx } from '@bursar/store'
import { mask } from '../api-keys/api-keys'
import type { ParticipantDeps } from '../app'
import { fail } from '../errors'
import { planCustomers, refuseExternalIds } from '../sagas/plan'
import { addSaga, findSaga, type SagaRow, saveSaga } from '../sagas/saga'
import { addParticipant, goLive, keyOwner, keyTaken } from './participants'
import type { NewParticipant, Participant } from './participants.model'
import { getParticipant } from './read-participant'
import { requestHash } from './request-hash'

type CreateDeps = Pick<ParticipantDeps, 'store' | 'apiKeys' | 'sagas'>

/** A request to create a participant, and the key that it may be repeated with. */
export interface Creation {
  input: NewParticipant
  idempotencyKey: string | null
}

/**
 * Creates a participant, and its customers and accounts in their own services. The answer is remembered by `answers`,
 * its key masked: what is remembered is not encrypted.
 *
 * Without customers that is one commit. With them it is a saga: when it cannot be ended now this rejects (502, 503, 504)
 * and it goes on in the background; the same request again, by its body, gets the result. Fails (409) when the key or an
 * externalId is taken, and then leaves nothing but customers marked deleted.
 */
export async function createParticipant(deps: CreateDeps, answers: Store, creation: Creation): Promise<Participant> {
  const { input } = creation
  if (input.authConsumerId === mask) {
    throw fail('INVALID_REQUEST', { message: 'authConsumerId must be the key itself, not its mask' })
  }
  refuseExternalIds(input.customers)
  const masked = async (tx: Tx, id: string) => ({
    ...(await getParticipant(tx, deps.apiKeys, id)),
    authConsumerId: mask,
  })
  if (input.customers.length === 0) {
    return await answers.commit(async (tx) => {
      const now = new Date()
      if (await keyOwner(tx, deps.apiKeys.hash(input.authConsumerId))) throw keyTaken()
      const row = await addParticipant(tx, newRow(deps, input), now)
      await goLive(tx, row, now)
      return await masked(tx, row.id)
    })
  }
  const id = await deps.store.commit((tx) => begin(tx, deps, creation, new Date()))
  await deps.sagas.result(id)
  return await answers.commit(async (tx) => {
    const saga = await findSaga(tx, id)
    if (saga && !saga.answered) await saveSaga(tx, { ...saga, answered: true })
    return await masked(tx, id)
  })
}

function newRow({ apiKeys }: CreateDeps, { institutionName, routerData = null, authConsumerId }: NewParticipant) {
  const id = Bun.randomUUIDv7()
  return {
    id,
    institutionName,
    routerData,
    keyHash: apiKeys.hash(authConsumerId),
    sealedKey: apiKeys.seal(authConsumerId, id),
  }
}

/** Stores the participant and its saga, or finds those of the request that this one repeats. Answers with their id. */
async function begin(tx: Tx, deps: CreateDeps, { input, idempotencyKey }: Creation, now: Date): Promise<string> {
  const hash = requestHash('POST', input)
  const owner = await keyOwner(tx, deps.apiKeys.hash(input.authConsumerId))
  if (owner) {
    const saga = await findSaga(tx, owner.id)
    if (saga && repeats(saga, hash, idempotencyKey)) return owner.id
    throw keyTaken()
  }
  const row = await addParticipant(tx, newRow(deps, input), now)
  const plan = await planCustomers(tx, row.id, input.customers)
  const saga: SagaRow = {
    id: row.id,
    participantId: row.id,
    kind: 'create',
    state: 'running',
    checked: false,
    changes: null,
    members: plan.members,
    requestHash: hash,
    idempotencyKey,
    requestId: currentRequestId(),
    answered: false,
    failure: null,
    createdAt: now,
    finishedAt: null,
  }
  await addSaga(tx, saga, plan.steps)
  return row.id
}

/** Who was told the result gets it again by the idempotency key alone; nobody else has been told it. */
const repeats = (saga: SagaRow, hash: string, idempotencyKey: string | null): boolean =>
  saga.requestHash === hash && (!saga.answered || (idempotencyKey !== null && idempotencyKey === saga.idempotencyKey))
