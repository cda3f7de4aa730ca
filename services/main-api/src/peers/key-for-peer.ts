import { type Identity, idempotencyKeyOf } from '@bursar/http'

/**
 * The idempotency key for a call that carries out this request; {} where its caller sent none. At the other service all
 * our calls come from one caller: the key names the caller, the route and the caller's own key.
 */
export async function keyForPeer(identity: Identity, request: Request): Promise<{ idempotencyKey?: string }> {
  const key = idempotencyKeyOf(request)
  if (key === null) return {}
  const caller = await identity.read(request)
  const name = caller ? `${caller.kind} ${caller.subject}` : `anyone ${request.headers.get('x-api-key') ?? ''}`
  const { pathname } = new URL(request.url)
  return { idempotencyKey: Bun.SHA256.hash(JSON.stringify([name, request.method, pathname, key]), 'hex') }
}
