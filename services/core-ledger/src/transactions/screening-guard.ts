import { Webhook } from 'standardwebhooks'
import type { Config } from '../config'
import { fail } from '../errors'
import { allowList, isListed } from './allow-list'

/** What of a request decides whether its screening result is taken. */
export interface ScreeningCall {
  headers: Headers
  /** The body as it came. */
  body: string
  /** The address that the connection came from; null when that is not known. */
  address: string | null
}

/**
 * Who may call complete-screening (decisions): with a secret, who signs with it (Standard Webhooks); with an allow-list,
 * who calls from one of its addresses.
 */
export function screeningGuard(
  config: Pick<Config, 'screeningSecret' | 'screeningAllow'>,
): (call: ScreeningCall) => void {
  const { screeningSecret: secret, screeningAllow: allow } = config
  const webhook = secret === undefined ? undefined : new Webhook(secret)
  const allowed = allow.length === 0 ? undefined : allowList(allow)
  return (call) => {
    if (allowed && !isListed(allowed, callerOf(call))) throw fail('ADDRESS_REFUSED')
    if (webhook) verify(webhook, call)
  }
}

function verify(webhook: Webhook, { headers, body }: ScreeningCall): void {
  try {
    webhook.verify(body, Object.fromEntries(headers))
  } catch (cause) {
    throw fail('SIGNATURE_INVALID', { cause })
  }
}

/** The gateway runs on this machine and puts its caller's address last. From elsewhere the header is ignored. */
function callerOf({ headers, address }: ScreeningCall): string | null {
  const forwarded = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
  const isLocal = address === null || /^(::ffff:)?127\.|^::1$/.test(address)
  return isLocal && forwarded ? forwarded : address
}
