import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { ApiError } from './api-error'

type Creation = Parameters<typeof startRegistration>[0]['optionsJSON']
type Request = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** Creates a passkey in the browser; the answer is sent to the gateway unchanged. Fails with a message for people. */
export const madePasskey = (options: unknown): Promise<object> =>
  startRegistration({ optionsJSON: options as Creation }).catch((error: unknown) => refuse(error, made))

/** Signs with a passkey, as above. */
export const signedByPasskey = (options: unknown): Promise<object> =>
  startAuthentication({ optionsJSON: options as Request }).catch((error: unknown) => refuse(error, signed))

const made: Words = {
  NotAllowedError: 'No passkey was created: it was cancelled or timed out. Try again.',
  InvalidStateError: 'You already have a passkey on this device.',
}
const signed: Words = {
  NotAllowedError: 'No passkey was used: it was cancelled or timed out, or this browser has none of yours.',
}
const both: Words = {
  AbortError: 'Another passkey request replaced this one. Try again.',
  SecurityError: 'Your passkeys belong to another address of this console. Open the console there.',
}
type Words = Readonly<Record<string, string>>

/** The library's error has the browser's error as its cause. Nothing was sent, so the outcome is certain. */
function refuse(error: unknown, words: Words): never {
  const { name } = (error instanceof Error && error.cause instanceof Error ? error.cause : error) as { name?: unknown }
  const known = new Map(Object.entries({ ...both, ...words })).get(String(name))
  throw new ApiError(400, known ?? 'The browser could not use a passkey. Try again, or enter a code.')
}
