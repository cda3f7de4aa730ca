import { about, nullable, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'

/** What a provider said last; it is known since the service’s start. */
export const ProviderAnswer = t.Object(
  {
    providerId: uuid(),
    name: t.String(),
    slug: t.String(),
    lastAnswer: about(
      'The last price that it gave; null where it gave none since then',
      nullable(
        t.Object(
          {
            assetCode: t.String(),
            rate: t.Number(),
            at: about('When it gave it', timestamp()),
          },
          { title: 'LastAnswer' },
        ),
      ),
    ),
    lastFailure: about(
      'Why it gave no price that counts when it last did not; null where that never was',
      nullable(
        t.Object(
          {
            assetCode: t.String(),
            reason: about('What went wrong, in a few words', t.String()),
            at: about('When it failed', timestamp()),
          },
          { title: 'LastFailure' },
        ),
      ),
    ),
    failuresInARow: about('How often it failed since its last price', t.Integer()),
  },
  { title: 'ProviderAnswer' },
)
export type ProviderAnswer = Static<typeof ProviderAnswer>

export const ProviderAnswers = t.Object(
  {
    since: about('Since when answers are noted: the start of the service', timestamp()),
    data: about('Every provider, in the order of their creation', t.Array(ProviderAnswer)),
  },
  { title: 'ProviderAnswers' },
)
export type ProviderAnswers = Static<typeof ProviderAnswers>
