import type { PfiStatus } from '@bursar/contracts/main-api'
import type { Actor } from '@bursar/contracts/status-history'
import { type Db, insertInto, newId, rowsBy, type Tx } from '@bursar/store'
import type { Config } from '../config'
import { fail } from '../errors'
import { endApiKeys } from '../participants/api-keys'
import { findHandover, type HandoverRow, requestHandover } from '../participants/handovers'
import {
  changeParticipant,
  getParticipant,
  type ParticipantRow,
  saveParticipant,
  toParticipant,
} from '../participants/participants'
import type { Handover, HistoryEntry, ParticipantDetail, Review, StatusChange } from './reviews.model'
import { reviews } from './reviews.table'

type ReviewRow = typeof reviews.$inferSelect

interface StatusMove extends StatusChange {
  participantId: string
  /** The actor; null if unknown. */
  changedBy: Actor | null
}

/**
 * Moves a participant to another status and notes it in its history. The same status again adds a new comment, and else
 * changes nothing. The participant service is told of each approval, and of the offboarding of a participant that was
 * approved; offboarding ends its API keys. Fails when there is no such participant (404), it cannot be moved there, or
 * another person must approve it (409).
 */
export async function moveParticipant(
  tx: Tx,
  move: StatusMove,
  { fourEyes }: Pick<Config, 'fourEyes'>,
  now: Date,
): Promise<ParticipantRow> {
  const before = await getParticipant(tx, move.participantId)
  const { status: to } = move
  if (to === before.status) {
    await addComment(tx, before, move, now)
    return before
  }
  refuseIllegal(before, to)
  if (fourEyes && to === 'APPROVED') refuseSamePerson(before, move)
  await addReview(tx, before, move, now)
  const row = { ...before, status: to, approvedAt: before.approvedAt ?? (to === 'APPROVED' ? now : null) }
  if (to === 'OFFBOARDED') await endApiKeys(tx, row.id, now)
  const concernsOthers = to === 'APPROVED' || to === 'OFFBOARDED'
  if (row.approvedAt && concernsOthers) await requestHandover(tx, { participantId: row.id, kind: 'admission' }, now)
  return await saveParticipant(tx, row, now)
}

function refuseIllegal({ status }: ParticipantRow, to: StatusChange['status']): void {
  const legal = moves[status]
  if (legal.includes(to)) return
  const ways = legal.length === 0 ? 'it stays so' : `it can become ${legal.join(', ')}`
  throw fail('CONFLICT', { message: `The participant is ${status} and cannot become ${to}; ${ways}` })
}

/** An institution that registered itself needs one person; one that a user registered needs a second one, once. */
function refuseSamePerson({ approvedAt, registeredBy }: ParticipantRow, { changedBy }: StatusMove): void {
  if (approvedAt !== null || registeredBy === null) return
  if (changedBy?.kind !== 'user' || changedBy.id === registeredBy) throw fail('REGISTERED_BY_SAME_PERSON')
}

/** A participant with its history, and the state of its handovers. */
export async function getParticipantDetail(db: Db, id: string): Promise<ParticipantDetail> {
  const row = await getParticipant(db, id)
  const history = await reviewsOf(db, id)
  const invitation = await findHandover(db, { participantId: id, kind: 'invitation' })
  const admission = await findHandover(db, { participantId: id, kind: 'admission' })
  return {
    ...toParticipant(row),
    registeredBy: row.registeredBy,
    history: history.map(toReview),
    invitation: toHandover(invitation),
    admission: toHandover(admission),
  }
}

/** The changes of a participant's status, and the comments on it, oldest first. */
export async function historyOf(db: Db, id: string): Promise<HistoryEntry[]> {
  await getParticipant(db, id)
  return (await reviewsOf(db, id)).map(toEntry)
}

/**
 * Invites the first user again, to another address if given, when the previous invitation was refused
 * permanently, and records it in the history. Whoever gives another address counts as the one who registered the
 * institution: its first user issues the key that moves its money. Fails when there is no such participant (404), it
 * was offboarded, its invitation is under way or done, or its approver gives the address (409).
 */
export async function inviteAgain(
  tx: Tx,
  { participantId, email, changedBy }: Pick<StatusMove, 'participantId' | 'changedBy'> & { email?: string },
  { fourEyes }: Pick<Config, 'fourEyes'>,
  now: Date,
): Promise<void> {
  const before = await getParticipant(tx, participantId)
  const key = { participantId, kind: 'invitation' } as const
  const invitation = await findHandover(tx, key)
  if (invitation && invitation.status !== 'failed') throw fail('CONFLICT', { message: notAgain[invitation.status] })
  const isElsewhere = email !== undefined && email !== before.email
  if (fourEyes && isElsewhere) await refuseApprover(tx, before, changedBy)
  const registrar = isElsewhere && changedBy?.kind === 'user' ? changedBy.id : before.registeredBy
  const row = await changeParticipant(tx, participantId, email === undefined ? {} : { email }, now, registrar)
  const comments = `The first user is invited again, to ${row.email}`
  await addReview(tx, before, { participantId, status: before.status, comments, changedBy }, now)
  await requestHandover(tx, key, now)
}

async function refuseApprover(tx: Tx, { id, approvedAt }: ParticipantRow, actor: Actor | null): Promise<void> {
  if (approvedAt === null) return
  const approval = (await reviewsOf(tx, id)).find(({ to }) => to === 'APPROVED')
  if (actor?.kind === 'user' && actor.id !== approval?.changedBy) return
  throw fail('REGISTERED_BY_SAME_PERSON', {
    message: 'You have approved it yourself; another person must give its first user another address',
  })
}

const notAgain = {
  pending: 'The invitation is under way; it is retried until the identity manager accepts it',
  done: 'The first user is already invited; further users are invited by it, or at the users',
}

/** The comment of the last entry again is a repeated request. */
async function addComment(tx: Tx, row: ParticipantRow, move: StatusMove, now: Date): Promise<void> {
  if (!move.comments) return
  const last = (await reviewsOf(tx, row.id)).at(-1)
  if (last?.comments !== move.comments) await addReview(tx, row, move, now)
}

async function addReview(tx: Tx, before: ParticipantRow, move: StatusMove, now: Date): Promise<void> {
  const { status: to, comments = null, changedBy } = move
  const row = { participantId: before.id, from: before.status, to, comments, changedAt: now }
  const who = { changedBy: changedBy?.id ?? null, changedByKind: changedBy?.kind ?? null }
  await insertReview(tx).execute({ id: newId(), ...row, ...who })
}

const toReview = ({ participantId: _, changedByKind: __, ...row }: ReviewRow): Review => ({
  ...row,
  changedAt: row.changedAt.toISOString(),
})

const toEntry = ({ from, to, comments, changedBy, changedByKind, changedAt }: ReviewRow): HistoryEntry => ({
  field: 'status',
  from,
  to,
  reason: comments,
  actor: changedBy === null ? null : { kind: changedByKind ?? 'user', id: changedBy },
  at: changedAt.toISOString(),
})

const handoverStatuses = { pending: 'PENDING', done: 'DONE', failed: 'FAILED' } as const

const toHandover = (row: HandoverRow | undefined): Handover => ({
  status: row ? handoverStatuses[row.status] : 'NONE',
  doneAt: row?.doneAt?.toISOString() ?? null,
  problem: row?.lastError ?? null,
})

const insertReview = insertInto(reviews)
const reviewsOf = rowsBy(reviews, 'participantId', 'id')

/**
 * The allowed changes of a participant's status. An administrator may approve or reject at once an institution reviewed
 * elsewhere. A pause ends by approving again; a rejected one may be reviewed again; an offboarded one cannot come back.
 */
const moves: Readonly<Record<PfiStatus, readonly PfiStatus[]>> = {
  NOT_STARTED: ['UNDER_REVIEW', 'APPROVED', 'REJECTED', 'OFFBOARDED'],
  UNDER_REVIEW: ['APPROVED', 'REJECTED', 'OFFBOARDED'],
  APPROVED: ['PAUSED', 'OFFBOARDED'],
  REJECTED: ['UNDER_REVIEW', 'OFFBOARDED'],
  PAUSED: ['APPROVED', 'OFFBOARDED'],
  OFFBOARDED: [],
}
