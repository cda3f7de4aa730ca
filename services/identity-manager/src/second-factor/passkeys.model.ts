import { about, nullable, t, text, timestamp } from '@bursar/contracts/schema'

const encoded = (maxLength: number) => t.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })
const others = { additionalProperties: true } as const

/** What `navigator.credentials.create` answers, as JSON (WebAuthn 3, RegistrationResponseJSON). */
export const Attestation = t.Object(
  {
    id: encoded(1400),
    rawId: encoded(1400),
    type: t.Literal('public-key'),
    response: t.Object(
      {
        clientDataJSON: encoded(8000),
        attestationObject: encoded(20_000),
        transports: t.Optional(t.Array(t.String({ maxLength: 32 }), { maxItems: 8 })),
      },
      others,
    ),
    clientExtensionResults: t.Optional(t.Record(t.String(), t.Unknown())),
  },
  { ...others, title: 'PasskeyAttestation' },
)

/** What `navigator.credentials.get` answers, as JSON (AuthenticationResponseJSON). */
export const Assertion = t.Object(
  {
    id: encoded(1400),
    rawId: encoded(1400),
    type: t.Literal('public-key'),
    response: t.Object(
      { clientDataJSON: encoded(8000), authenticatorData: encoded(8000), signature: encoded(8000) },
      others,
    ),
    clientExtensionResults: t.Optional(t.Record(t.String(), t.Unknown())),
  },
  { ...others, title: 'PasskeyAssertion' },
)

const exampleKey = 'KEDetxZcUfinhVi6Za5nZQ'

export const NewPasskey = t.Object(
  { name: about('That the user knows it by', text(64)), response: Attestation },
  {
    title: 'NewPasskey',
    examples: [
      {
        name: 'Desk key',
        response: {
          id: exampleKey,
          rawId: exampleKey,
          type: 'public-key',
          response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
        },
      },
    ],
  },
)
export const ByPasskeyId = t.Object({ passkeyId: { ...encoded(1400), examples: [exampleKey] } })

export const Passkey = t.Object(
  { id: t.String(), name: t.String(), createdAt: timestamp(), lastUsedAt: nullable(timestamp()) },
  { title: 'Passkey' },
)
export const Passkeys = t.Object({ data: t.Array(Passkey) }, { title: 'Passkeys' })
export const PasskeyAdded = t.Object(
  {
    data: t.Object(
      {
        passkey: Passkey,
        recoveryCodes: about('Shown this once; null where the user has some already', nullable(t.Array(t.String()))),
      },
      { title: 'AddedPasskey' },
    ),
  },
  { title: 'PasskeyAdded' },
)
export const PasskeyOptions = t.Object(
  { data: about('For the browser, as it takes them', t.Record(t.String(), t.Unknown())) },
  { title: 'PasskeyOptions' },
)
