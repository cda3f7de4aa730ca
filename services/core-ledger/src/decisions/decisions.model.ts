import { about, nullable, oneOf, type Static, t, timestamp } from '@bursar/contracts/schema'
import { actorKinds, decisionKinds } from './decisions.table'

export const ActorSchema = t.Object(
  {
    kind: about('The kind of caller', oneOf(actorKinds)),
    id: about('The user’s or participant’s id, the service’s name, or an anonymous caller’s address', t.String()),
  },
  { title: 'Actor' },
)

/** GET /transactions/:id/decisions */
export const Decision = t.Object(
  {
    decision: about(
      'ENTERED: a person created it, or recorded the deposit. PROPOSED: the first of two approvals. RETRIED: the next ' +
        'attempt was made due. RELEASED: a deposit was credited from suspense after all; RELEASE_PROPOSED by the ' +
        'first of two persons. RETURNED: its return to its source was ordered; RETURN_PROPOSED by the first of two persons. ' +
        'COVERED: what its chain has taken back, or what an unbooked payment has cost, was replaced; COVER_PROPOSED by the first of two persons',
      oneOf(decisionKinds),
    ),
    actor: about('Who decided; null for an unauthenticated caller', nullable(ActorSchema)),
    note: about('The note of the decision; null for none', nullable(t.String())),
    at: about('When it was decided', timestamp()),
  },
  { title: 'Decision' },
)
export type Decision = Static<typeof Decision>

/** Body of the approvals, and of a retry. */
export const Note = t.Object(
  { note: t.Optional(about('The reason, for later readers', nullable(t.String({ maxLength: 1000 })))) },
  { title: 'Note', examples: [{ note: 'The customer sent the contract of sale' }] },
)
export type Note = Static<typeof Note>

/** 202: the approval is the first of two. */
export const Proposed = t.Object(
  {
    proposed: about('The transaction stays FROZEN until another person approves it', t.Literal(true)),
    approvals: about('The number of persons who have approved it', t.Integer()),
    required: about('The number of persons who must approve it', t.Integer()),
  },
  { title: 'Proposed' },
)
