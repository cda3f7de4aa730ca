/**
 * The client's address. The gateway runs on this machine and appends its caller to `X-Forwarded-For`; from any other
 * address that header could be forged and is ignored. So it is if the connection's address is unknown: a caller who
 * hangs up at once must not count as one of this machine.
 */
export function clientAddress(peer: string | null, forwardedFor: string | null | undefined): string | null {
  const forwarded = forwardedFor?.split(',').at(-1)?.trim()
  const isLocal = peer !== null && /^(::ffff:)?127\.|^::1$/.test(peer)
  return isLocal && forwarded ? forwarded : peer
}
