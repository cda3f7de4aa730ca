/**
 * The address that a connection is made for. The gateway runs on this machine and names its caller last in
 * `X-Forwarded-For`; from any other address that header could be forged and does not count. Nor does it where the address is not known any more:
 * a caller who hangs up at once must not become one of this machine.
 */
export function clientAddress(peer: string | null, forwardedFor: string | null | undefined): string | null {
  const forwarded = forwardedFor?.split(',').at(-1)?.trim()
  const isLocal = peer !== null && /^(::ffff:)?127\.|^::1$/.test(peer)
  return isLocal && forwarded ? forwarded : peer
}
