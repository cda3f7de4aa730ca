import { about, nullable, t, text, timestamp } from '@bursar/contracts/schema'

const encoded = (maxLength: number) => t.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })
const others = { additionalProperties: true } as const

/** The fields that both ceremonies have besides `response`. */
const credential = {
  id: about('The passkey’s id, base64url', encoded(1400)),
  rawId: about('The same id', encoded(1400)),
  type: about('A passkey is a public key', t.Literal('public-key')),
  clientExtensionResults: t.Optional(about('Ignored', t.Record(t.String(), t.Unknown()))),
}
const clientDataJSON = about('What the browser has said to the authenticator, base64url', encoded(8000))

/** The result of `navigator.credentials.create`, as JSON (WebAuthn 3, RegistrationResponseJSON). */
export const Attestation = t.Object(
  {
    ...credential,
    response: about(
      'The authenticator’s answer',
      t.Object(
        {
          clientDataJSON,
          attestationObject: about('The new public key, base64url', encoded(20_000)),
          transports: t.Optional(
            about('The authenticator’s transports', t.Array(t.String({ maxLength: 32 }), { maxItems: 8 })),
          ),
        },
        { ...others, title: 'PasskeyAttestationResponse' },
      ),
    ),
  },
  { ...others, title: 'PasskeyAttestation' },
)

/** The result of `navigator.credentials.get`, as JSON (AuthenticationResponseJSON). */
export const Assertion = t.Object(
  {
    ...credential,
    response: about(
      'The authenticator’s answer',
      t.Object(
        {
          clientDataJSON,
          authenticatorData: about('Site, flags and counter, base64url', encoded(8000)),
          signature: about('The signature over both, base64url', encoded(8000)),
        },
        { ...others, title: 'PasskeyAssertionResponse' },
      ),
    ),
  },
  { ...others, title: 'PasskeyAssertion' },
)

const exampleKey = 'KEDetxZcUfinhVi6Za5nZQ'

export const NewPasskey = t.Object(
  {
    name: about('The user’s name for it', text(64)),
    response: about('Of `navigator.credentials.create`', Attestation),
  },
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
export const ByPasskeyId = t.Object({
  passkeyId: about('The id from the list of passkeys', { ...encoded(1400), examples: [exampleKey] }),
})

export const Passkey = t.Object(
  {
    id: t.String(),
    name: t.String(),
    createdAt: timestamp(),
    lastUsedAt: about('Null before its first use', nullable(timestamp())),
  },
  { title: 'Passkey' },
)
export const Passkeys = t.Object({ data: t.Array(Passkey) }, { title: 'Passkeys' })
export const PasskeyAdded = t.Object(
  {
    data: t.Object(
      {
        passkey: about('The passkey, as listed', Passkey),
        recoveryCodes: about('Shown only once; null when the user already has some', nullable(t.Array(t.String()))),
      },
      { title: 'AddedPasskey' },
    ),
  },
  { title: 'PasskeyAdded' },
)
export const PasskeyOptions = t.Object(
  { data: about('The options for the browser’s call', t.Record(t.String(), t.Unknown())) },
  { title: 'PasskeyOptions' },
)
