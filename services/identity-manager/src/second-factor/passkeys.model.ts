import { about, nullable, t, text, timestamp } from '@bursar/contracts/schema'

const encoded = (maxLength: number) => t.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })
const others = { additionalProperties: true } as const

/** What both ceremonies answer besides their response. */
const credential = {
  id: about('The passkey’s id, base64url', encoded(1400)),
  rawId: about('The same', encoded(1400)),
  type: about('A passkey is a public key', t.Literal('public-key')),
  clientExtensionResults: t.Optional(about('Not looked at', t.Record(t.String(), t.Unknown()))),
}
const clientDataJSON = about('What the browser has said to the authenticator, base64url', encoded(8000))

/** What `navigator.credentials.create` answers, as JSON (WebAuthn 3, RegistrationResponseJSON). */
export const Attestation = t.Object(
  {
    ...credential,
    response: about(
      'What the authenticator has answered',
      t.Object(
        {
          clientDataJSON,
          attestationObject: about('The new public key, base64url', encoded(20_000)),
          transports: t.Optional(
            about('How the authenticator is reached', t.Array(t.String({ maxLength: 32 }), { maxItems: 8 })),
          ),
        },
        { ...others, title: 'PasskeyAttestationResponse' },
      ),
    ),
  },
  { ...others, title: 'PasskeyAttestation' },
)

/** What `navigator.credentials.get` answers, as JSON (AuthenticationResponseJSON). */
export const Assertion = t.Object(
  {
    ...credential,
    response: about(
      'What the authenticator has answered',
      t.Object(
        {
          clientDataJSON,
          authenticatorData: about('Site, flags and counter, base64url', encoded(8000)),
          signature: about('Over both, base64url', encoded(8000)),
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
    name: about('That the user knows it by', text(64)),
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
  passkeyId: about('As the list of passkeys has it', { ...encoded(1400), examples: [exampleKey] }),
})

export const Passkey = t.Object(
  {
    id: t.String(),
    name: t.String(),
    createdAt: timestamp(),
    lastUsedAt: about('Null until it was used', nullable(timestamp())),
  },
  { title: 'Passkey' },
)
export const Passkeys = t.Object({ data: t.Array(Passkey) }, { title: 'Passkeys' })
export const PasskeyAdded = t.Object(
  {
    data: t.Object(
      {
        passkey: about('As it is listed', Passkey),
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
