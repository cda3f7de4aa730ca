import { getApiKeyByHash } from '@bursar/contracts/main-api'
import { about, nullable, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'

const addresses = t.Array(text(49), { maxItems: 50 })

/** POST /participants/api-key (spec 3; decisions, Who may call 8). */
export const NewApiKey = t.Object(
  {
    expirationDate: about(
      'When it expires: from 10^11 on in Unix milliseconds, from 10^9 in Unix seconds, below that days from now (1 to 3650)',
      t.Integer(),
    ),
    previousValidHours: t.Optional(
      about(
        'For how many hours the previous key stays valid; 24 by default, 0 ends it now',
        t.Integer({ minimum: 0, maximum: 168 }),
      ),
    ),
    addresses: t.Optional(
      about(
        'The only addresses and networks (CIDR, v4 and v6) that the key may be used from; any unless given',
        t.Array(text(49), { minItems: 1, maxItems: 50 }),
      ),
    ),
  },
  { title: 'NewApiKey', examples: [{ expirationDate: 365 }] },
)
export type NewApiKey = Static<typeof NewApiKey>

/** Spec 3, Participant API key. */
export const ApiKey = t.Object(
  {
    id: uuid(),
    apiKey: about('The key itself: send it in X-API-KEY', t.String()),
    createdAt: timestamp(),
    expirationDate: about('When it expires', timestamp()),
  },
  { title: 'ApiKey' },
)
export type ApiKey = Static<typeof ApiKey>

/** GET /participants/:id/api-key. */
export const ApiKeyFacts = t.Object(
  {
    id: uuid(),
    masked: about('The beginning of the key, which names its environment, and its last four characters', t.String()),
    status: about(
      '`expired` by its date, `revoked` by the end of the participant',
      oneOf(['valid', 'expired', 'revoked']),
    ),
    createdAt: timestamp(),
    expirationDate: about('When it expires, unless it is revoked earlier', timestamp()),
    validUntil: about('Until when it is, or was, valid', timestamp()),
    addresses: about('The addresses and networks that it may be used from; null for any', nullable(addresses)),
  },
  { title: 'ApiKeyFacts' },
)
export type ApiKeyFacts = Static<typeof ApiKeyFacts>

/** GET /participants/:id/api-keys. */
export const ApiKeyList = t.Object({ data: t.Array(ApiKeyFacts) }, { title: 'ApiKeyList' })

export const IssuedApiKey = t.Object({ data: about('The new key', ApiKey) }, { title: 'IssuedApiKey' })

export const ByKeyHash = t.Object({ keyHash: t.String() })
export const ApiKeyState = getApiKeyByHash.answer
export type ApiKeyState = Static<typeof ApiKeyState>
