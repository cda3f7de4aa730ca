import { emailAddress } from '@bursar/contracts/identity-manager'
import { pfiStatuses } from '@bursar/contracts/main-api'
import { about, nullable, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { statusEntry } from '@bursar/contracts/status-history'
import { Participant } from '../participants/participants.model'
import { lines } from '../values'

/** PUT /admin/pfi/:id/status (spec 3). */
export const StatusChange = t.Object(
  {
    status: about('The status to move it to', oneOf(pfiStatuses)),
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
    to: about('The status after; the same where only a comment was added', oneOf(pfiStatuses)),
    comments: about('What was said with it; null for nothing', nullable(t.String())),
    changedBy: about(
      'The id of the user who did it; null where the caller did not prove who it is',
      nullable(t.String()),
    ),
    changedAt: about('When it was done', timestamp()),
  },
  { title: 'PfiReview' },
)
export type Review = Static<typeof Review>

/** How far another service has taken over what it has to. */
export const Handover = t.Object(
  {
    status: about(
      'NONE: nothing is to be done yet. PENDING: it is under way',
      oneOf(['NONE', 'PENDING', 'DONE', 'FAILED']),
    ),
    doneAt: about('When it was done last; null for never', nullable(timestamp())),
    problem: about('Why the last attempt failed; null where it did not', nullable(t.String())),
  },
  { title: 'Handover' },
)
export type Handover = Static<typeof Handover>

/** GET /admin/pfi/:id. */
export const ParticipantDetail = t.Object(
  {
    ...Participant.properties,
    history: about('What its reviews have decided, oldest first', t.Array(Review)),
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
