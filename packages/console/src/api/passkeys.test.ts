import { afterEach, expect, test } from 'bun:test'
import { ApiError } from './api-error'
import { madePasskey, signedByPasskey } from './passkeys'

/** What a browser has, and this process may have of another file. */
const places = [
  [navigator, 'credentials'],
  [globalThis, 'PublicKeyCredential'],
  [globalThis, 'location'],
] as const
const usual = places.map(([of, name]) => Object.getOwnPropertyDescriptor(of, name))
afterEach(() => {
  for (const [i, [of, name]] of places.entries()) {
    const before = usual[i]
    if (before) Object.defineProperty(of, name, before)
    else Reflect.deleteProperty(of, name)
  }
})

/** What a page is told where its browser refuses so. */
async function told(ask: (options: unknown) => Promise<object>, name: string): Promise<unknown> {
  const refuse = () => Promise.reject(new DOMException('in the browser’s own words', name))
  const values = [{ get: refuse, create: refuse }, class {}, { hostname: 'desk.bank.example' }]
  for (const [i, [of, called]] of places.entries()) {
    Object.defineProperty(of, called, { value: values[i], configurable: true })
  }
  const user = { id: 'AAAA', name: 'x', displayName: 'x' }
  const rp = { id: 'other.example', name: 'Bursar' }
  return await ask({ challenge: 'AAAA', rpId: rp.id, rp, user, pubKeyCredParams: [] }).catch((error: unknown) => error)
}

test.each([
  ['NotAllowedError', 'No passkey was used', 'No passkey was created'],
  ['SecurityError', 'Your passkeys belong to another address', 'Your passkeys belong to another address'],
  ['AbortError', 'Another passkey request replaced this one', 'Another passkey request replaced this one'],
  ['InvalidStateError', 'The browser could not use a passkey', 'You already have a passkey on this device'],
  ['UnknownError', 'The browser could not use a passkey', 'The browser could not use a passkey'],
])('%s is told in words, and as nothing that was sent', async (name, signed, made) => {
  for (const [ask, words] of [
    [signedByPasskey, signed],
    [madePasskey, made],
  ] as const) {
    const error = await told(ask, name)
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).message).toStartWith(words)
    expect((error as ApiError).isUncertain).toBe(false)
  }
})
