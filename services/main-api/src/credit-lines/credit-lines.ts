import { type CreditLine, listCreditLines, setCreditLine } from '@bursar/contracts/transaction-manager'
import { type Client, mapConcurrent } from '@bursar/http'
import type { Db } from '@bursar/store'
import { getParticipant } from '../participants/participants'
import { passOn } from '../peers'
import type { CreditLimit } from './credit-lines.model'

/** Participants per call: more would make the URL too long. */
const idsPerCall = 100
const callsAtATime = 4

/** The credit lines of participants, in their order, then by currency. The transaction manager stores them. */
export async function creditLinesOf(client: Client, participantIds: readonly string[]): Promise<CreditLine[]> {
  const groups = Array.from({ length: Math.ceil(participantIds.length / idsPerCall) }, (_, i) =>
    participantIds.slice(i * idsPerCall, (i + 1) * idsPerCall),
  )
  const lines = await mapConcurrent(groups, callsAtATime, (ids) =>
    client.call(listCreditLines, { query: { participantIds: ids.join(',') } }),
  )
  const place = new Map(participantIds.map((id, i) => [id, i]))
  const placeOf = ({ participantId }: CreditLine) => place.get(participantId) ?? participantIds.length
  return lines.flat().sort((a, b) => placeOf(a) - placeOf(b) || (a.currency < b.currency ? -1 : 1))
}

/**
 * Sets the limit of a participant in one currency. Fails (404) when there is no such participant, (400) for an amount
 * with too many decimals for the currency, (409) for a limit below the used amount.
 */
export async function setCreditLimit(
  db: Db,
  client: Client,
  participantId: string,
  { currency, limit, expiresAt }: CreditLimit,
): Promise<CreditLine> {
  await getParticipant(db, participantId)
  const body = { currency: currency.toUpperCase(), limit, ...(expiresAt === undefined ? {} : { expiresAt }) }
  return await passOn(client.call(setCreditLine, { params: { participantId }, body }))
}
