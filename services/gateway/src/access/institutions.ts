import { type PfiStatus, pfiChanges } from '@bursar/contracts/main-api'
import { participantChanges } from '@bursar/contracts/participant'
import { type Caller, type Client, ifCallFails } from '@bursar/http'
import { fail } from '../errors'
import type { Target } from '../front/target'
import { followChanges } from './follow-changes'

/**
 * `paused`: may read, and nothing else. `ended`: offboarded or deleted, so that neither keys nor sessions are valid.
 */
export type InstitutionState = 'active' | 'paused' | 'ended'

export type Institutions = ReturnType<typeof createInstitutions>

/** The states of callers' institutions (decisions, Institutions that are PAUSED, OFFBOARDED or deleted). */
export function createInstitutions(client: Client) {
  const statuses = new Map<string, PfiStatus>()
  const deleted = new Map<string, boolean>()
  const pfis = followChanges(client, pfiChanges, {
    take: ({ id, status }) => void statuses.set(id, status),
    keepOnly: (records) => dropOthers(statuses, records),
  })
  const participants = followChanges(client, participantChanges, {
    take: ({ id, deletedAt }) => void deleted.set(id, deletedAt !== null),
    keepOnly: (records) => dropOthers(deleted, records),
  })
  async function requireLists(): Promise<void> {
    const unread = [pfis, participants].filter((each) => !each.isComplete())
    await ifCallFails(Promise.all(unread.map((each) => each.pull())), (cause) => {
      throw fail('SERVICE_UNAVAILABLE', { message: noLists, cause })
    })
  }

  return {
    /** Fails with 503 while the lists were never read completely and their owners are unreachable. */
    async stateOf(participantId: string): Promise<InstitutionState> {
      if (!pfis.isComplete() || !participants.isComplete()) await requireLists()
      const id = participantId.toLowerCase()
      const status = statuses.get(id)
      if (status === 'OFFBOARDED' || deleted.get(id)) return 'ended'
      return status === 'PAUSED' ? 'paused' : 'active'
    },
    /** Pulls changes from the main API and the participant service. Rejects with CallError. */
    async pull(): Promise<void> {
      // Each counts even while the other is unreachable.
      const [first, second] = await Promise.allSettled([pfis.pull(), participants.pull()])
      for (const each of [first, second]) if (each.status === 'rejected') throw each.reason
    },
  }
}

function dropOthers(among: Map<string, unknown>, records: readonly { id: string }[]): void {
  const known = new Set(records.map(({ id }) => id))
  for (const id of among.keys()) if (!known.has(id)) among.delete(id)
}

const noLists = 'The status of your institution cannot be checked right now; repeat the request in a moment'
const keyEnded = 'The institution of this API key was offboarded or deleted'
const sessionEnded = 'Your institution was offboarded or deleted'

/**
 * Refuses by the state of the caller's institution: everything (401) for an ended one, everything but reads (403) for
 * one that is paused. Its users can still manage their own sessions and passwords. Returns the caller as services are
 * told of it: they refuse the reads of a paused one that would create something.
 */
export async function requireInstitution(
  institutions: Pick<Institutions, 'stateOf'>,
  caller: Caller,
  target: Target,
  method: string,
): Promise<Caller> {
  const { kind, participantId } = caller
  if (participantId === null) return caller
  const state = await institutions.stateOf(participantId)
  if (state === 'ended' && kind === 'participant') throw fail('INVALID_API_KEY', { message: keyEnded })
  if (state === 'ended') throw fail('UNAUTHORIZED', { message: sessionEnded })
  if (state === 'active') return caller
  if (!isRead(method) && !isOfOwnSession(target)) throw fail('INSTITUTION_PAUSED')
  return { ...caller, isPaused: true }
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

const isOfOwnSession = ({ service, path }: Target): boolean =>
  service === 'identity-manager' &&
  /^\/(auth\/.+|users\/(change-password-token|sessions\/[^/]+|[^/]+\/sessions))$/.test(path)
