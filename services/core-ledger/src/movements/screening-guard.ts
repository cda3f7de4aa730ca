import { addressList, clientAddress, isListed } from '@bursar/http'
import { Webhook } from 'standardwebhooks'
import type { Config } from '../config'
import { fail } from '../errors'

/** What decides whether a request's screening result is accepted. */
interface ScreeningCall {
  headers: Headers
  /** The body, unchanged. */
  body: string
  /** The address of the connection; null if unknown. */
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
  const allowed = allow.length === 0 ? undefined : addressList(allow)
  return (call) => {
    if (allowed && !isListed(allowed, clientAddress(call.address, call.headers.get('x-forwarded-for'))))
      throw fail('ADDRESS_REFUSED')
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
