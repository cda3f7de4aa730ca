import { about, nullable, oneOf, type Static, type TSchema, t, text, timestamp } from './schema'

/** The actor, as verified by the gateway. */
export const Actor = t.Object(
  {
    kind: about(
      'What it is: a user, a participant by its API key, or a service',
      oneOf(['user', 'participant', 'service']),
    ),
    id: about('Its id; the name of a service', t.String()),
  },
  { title: 'Actor' },
)
export type Actor = Static<typeof Actor>

/** The reason of a change, one line. */
export const statusReason = () => about('Why, for the history', text(1000))

/** One change of a record's status; `status` is the schema of its words. */
export const statusEntry = <S extends TSchema>(status: S, title: string) =>
  t.Object(
    {
      field: about('What has changed: always its status', t.Literal('status')),
      from: about('The status before', status),
      to: about('The status after', status),
      reason: about('Why; null where nothing was said', nullable(t.String())),
      actor: about('Who did it; null where the caller did not prove who it is', nullable(Actor)),
      at: about('When it was done', timestamp()),
    },
    { title },
  )
