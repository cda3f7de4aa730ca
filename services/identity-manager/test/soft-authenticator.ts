import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()
const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

type Cbor = number | string | Uint8Array | ReadonlyMap<Cbor, Cbor>

/** As much of CBOR (RFC 8949) as WebAuthn needs. */
function cbor(value: Cbor): Buffer {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.from([(major << 5) | length])
    if (length < 256) return Buffer.from([(major << 5) | 24, length])
    return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  }
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  const pairs = [...value].flatMap(([key, each]) => [cbor(key), cbor(each)])
  return Buffer.concat([head(5, value.size), ...pairs])
}

interface Act {
  origin?: string
  rpId?: string
  /** Whether it has seen a finger or a PIN. */
  isVerified?: boolean
  counter?: number
}

/** A passkey of our own making: ES256, without attestation. */
export function softAuthenticator(origin: string, rpId: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let signed = 0

  const clientData = (type: string, challenge: string, at: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))
  function authenticatorData(site: string, flags: number, counter: number, rest: Uint8Array = Buffer.alloc(0)) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(site), Buffer.from([flags]), count, rest])
  }
  const flagsOf = (isVerified: boolean) => 0x01 | (isVerified ? 0x04 : 0)

  return {
    id: b64(id),
    create(options: { challenge: string }, act: Act = {}) {
      const { origin: at = origin, rpId: site = rpId, isVerified = true, counter = signed } = act
      const cose = cbor(
        new Map<Cbor, Cbor>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      const authData = authenticatorData(site, flagsOf(isVerified) | 0x40, counter, credential)
      const attestation = new Map<Cbor, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      return {
        id: b64(id),
        rawId: b64(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: b64(clientData('webauthn.create', options.challenge, at)),
          attestationObject: b64(cbor(attestation)),
          transports: ['internal'],
        },
      }
    },
    get(options: { challenge: string }, act: Act = {}) {
      signed += 1
      const { origin: at = origin, rpId: site = rpId, isVerified = true, counter = signed } = act
      const client = clientData('webauthn.get', options.challenge, at)
      const data = authenticatorData(site, flagsOf(isVerified), counter)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        id: b64(id),
        rawId: b64(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: b64(client), authenticatorData: b64(data), signature: b64(signature) },
      }
    },
  }
}
