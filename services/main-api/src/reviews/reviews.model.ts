import { emailAddress } from '@bursar/contracts/identity-manager'
import { pfiStatuses } from '@bursar/contracts/main-api'
import { about, nullable, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { statusEntry } from '@bursar/contracts/status-history'
import { Participant } from '../participants/participants.model'
import { lines } from '../values'

/** PUT /admin/pfi/:id/status (spec 3). */
export const StatusChange = t.Object(
  {
    status: about('The new status', oneOf(pfiStatuses)),
    comments: t.Optional(about('Why, for the history', lines(2000))),
  },
  { title: 'PfiStatusChange', examples: [{ status: 'UNDER_REVIEW', comments: 'Documents requested' }] },
)
export type StatusChange = Static<typeof StatusChange>

/** One entry of a participant's history. */
export const Review = t.Object(
  {
    id: uuid(),
    from: about('The status before', oneOf(pfiStatuses)),
    to: about('The new status; the same when only a comment was added', oneOf(pfiStatuses)),
    comments: about('The comment; null for none', nullable(t.String())),
    changedBy: about('The id of the user; null for an anonymous caller', nullable(t.String())),
    changedAt: about('The time of the change', timestamp()),
  },
  { title: 'PfiReview' },
)
export type Review = Static<typeof Review>

/** The state of a handover to another service. */
export const Handover = t.Object(
  {
    status: about(
      'NONE: nothing is to be done yet. PENDING: it is under way',
      oneOf(['NONE', 'PENDING', 'DONE', 'FAILED']),
    ),
    doneAt: about('When it was last completed; null for never', nullable(timestamp())),
    problem: about('Why the last attempt failed; null if it did not', nullable(t.String())),
  },
  { title: 'Handover' },
)
export type Handover = Static<typeof Handover>

/** GET /admin/pfi/:id. */
export const ParticipantDetail = t.Object(
  {
    ...Participant.properties,
    registeredBy: about(
      'The id of the user who registered it, or gave its first user another address; null for neither',
      nullable(t.String()),
    ),
    history: about('The decisions of its reviews, oldest first', t.Array(Review)),
    invitation: about('The invitation of its first user, by the identity manager', Handover),
    admission: about('Its admission at the participant service, with its name and API key', Handover),
  },
  { title: 'PfiParticipantDetail' },
)
export type ParticipantDetail = Static<typeof ParticipantDetail>

/** GET /admin/pfi/:id/history. */
export const HistoryEntry = statusEntry(oneOf(pfiStatuses), 'PfiStatusEntry')
export type HistoryEntry = Static<typeof HistoryEntry>

/** POST /admin/pfi/:id/invitation. */
export const NewInvitation = t.Object(
  {
    email: t.Optional(about('Another address of its first user; the one that is known unless given', emailAddress())),
  },
  { title: 'NewInvitation', examples: [{ email: 'payments@lakeside.example' }] },
)
