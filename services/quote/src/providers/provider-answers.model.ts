import { about, nullable, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'

const LastAnswer = t.Object(
  { assetCode: t.String(), rate: t.Number(), at: about('The time of the answer', timestamp()) },
  { title: 'LastAnswer' },
)
const LastFailure = t.Object(
  {
    assetCode: t.String(),
    reason: about('The reason in a few words', t.String()),
    at: about('When it failed', timestamp()),
  },
  { title: 'LastFailure' },
)

/** A provider's last answer since the service's start. */
export const ProviderAnswer = t.Object(
  {
    providerId: uuid(),
    name: t.String(),
    slug: t.String(),
    lastAnswer: about('Its last price; null when it gave none since the start', nullable(LastAnswer)),
    lastFailure: about('Its last failure to give a usable price; null for none', nullable(LastFailure)),
    failuresInARow: about('The number of failures since its last price', t.Integer()),
  },
  { title: 'ProviderAnswer' },
)
export type ProviderAnswer = Static<typeof ProviderAnswer>

export const ProviderAnswers = t.Object(
  {
    since: about('When recording began: the start of the service', timestamp()),
    data: about('All providers, in order of creation', t.Array(ProviderAnswer)),
  },
  { title: 'ProviderAnswers' },
)
export type ProviderAnswers = Static<typeof ProviderAnswers>
