import { about, nullable, oneOf, type Static, t, timestamp } from '@bursar/contracts/schema'
import { actorKinds, decisionKinds } from './decisions.table'

/** Who acted. */
export const ActorSchema = t.Object(
  {
    kind: about('What kind of caller it was', oneOf(actorKinds)),
    id: about('The user’s or participant’s id, the service’s name, or an anonymous caller’s address', t.String()),
  },
  { title: 'Actor' },
)

/** GET /transactions/:id/decisions */
export const Decision = t.Object(
  {
    decision: about(
      'ENTERED: a person ordered it, or recorded the deposit. PROPOSED: the first of two approvals. RETRIED: the next ' +
        'attempt was brought forward. RELEASED: a deposit was credited from suspense after all, RELEASE_PROPOSED by the ' +
        'first of two. RETURNED: it was to be sent back to its source, RETURN_PROPOSED by the first of two',
      oneOf(decisionKinds),
    ),
    actor: about('Who decided; null for a caller that proved nothing', nullable(ActorSchema)),
    note: about('What was said with it; null for nothing', nullable(t.String())),
    at: about('When it was decided', timestamp()),
  },
  { title: 'Decision' },
)
export type Decision = Static<typeof Decision>

/** Body of the approvals, and of a retry. */
export const Note = t.Object(
  { note: t.Optional(about('Why, for those who look at it later', nullable(t.String({ maxLength: 1000 })))) },
  { title: 'Note', examples: [{ note: 'The customer sent the contract of sale' }] },
)
export type Note = Static<typeof Note>

/** 202: the approval is the first of two. */
export const Proposed = t.Object(
  {
    proposed: about('The transaction stays FROZEN until another person approves it', t.Literal(true)),
    approvals: about('How many persons have approved it', t.Integer()),
    required: about('How many persons must approve it', t.Integer()),
  },
  { title: 'Proposed' },
)
export type Proposed = Static<typeof Proposed>
