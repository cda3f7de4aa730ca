import { BlockList, isIP } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { fail } from '../errors'

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
 * who calls from one of its addresses. Throws a sentence for the operator when a setting cannot be used.
 */
export function screeningGuard(secret: string | undefined, allow: readonly string[]): (call: ScreeningCall) => void {
  const webhook = secret === undefined ? undefined : webhookWith(secret)
  const allowed = allow.length === 0 ? undefined : allowList(allow)
  return (call) => {
    if (allowed && !isAllowed(allowed, callerOf(call))) throw fail('ADDRESS_REFUSED')
    if (webhook) verify(webhook, call)
  }
}

function webhookWith(secret: string): Webhook {
  try {
    return new Webhook(secret)
  } catch (cause) {
    throw new Error('SCREENING_SECRET must be a secret of Standard Webhooks: base64, with or without whsec_', { cause })
  }
}

function verify(webhook: Webhook, { headers, body }: ScreeningCall): void {
  try {
    webhook.verify(body, Object.fromEntries(headers))
  } catch (cause) {
    throw fail('SIGNATURE_INVALID', { cause })
  }
}

/** The gateway is on this machine and says for whom it asks; its word alone counts. */
function callerOf({ headers, address }: ScreeningCall): string | null {
  const forwarded = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
  const isLocal = address === null || /^(::ffff:)?127\.|^::1$/.test(address)
  return isLocal && forwarded ? forwarded : address
}

function allowList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    const prefix = /^\d{1,3}$/.test(bits ?? '0') ? Number(bits ?? 0) : Number.NaN
    if (isIP(address) === 0 || !(prefix <= (family === 'ipv6' ? 128 : 32))) {
      throw new Error(`SCREENING_ALLOW: "${entry}" is neither an address nor a network such as 10.0.0.0/8`)
    }
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, prefix, family)
  }
  return list
}

function isAllowed(list: BlockList, address: string | null): boolean {
  const plain = address?.replace(/^::ffff:/, '') ?? ''
  const family = isIP(plain)
  return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}
