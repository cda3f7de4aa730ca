import ipaddr from 'ipaddr.js'
import { ConfigError } from '../settings/config-error'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** One exception to "public addresses only": a host name or a range of addresses, on one port or on all. */
export type AllowRule = { port: number | null } & ({ host: string } | { range: [Address, number] })

const hostPattern = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/
const globalIpv6 = ipaddr.parseCIDR('2000::/3')

/**
 * Splits `OUTBOUND_ALLOW`: `host`, `host:port`, an address (`127.0.0.1`, `[::1]:8080`) or a CIDR range, separated by
 * commas. Throws ConfigError naming an invalid entry.
 */
export function parseAllowList(text: string | undefined): string[] {
  const entries = (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  entries.forEach(parseAllowRule)
  return entries
}

/** One entry of the allow-list. Throws ConfigError when it is not one. */
export function parseAllowRule(entry: string): AllowRule {
  const text = entry.trim().toLowerCase()
  if (ipaddr.isValidCIDR(text)) return { range: ipaddr.parseCIDR(text), port: null }
  if (ipaddr.IPv6.isValid(text)) return { range: single(text), port: null }
  const [, host = '', portText] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = portText === undefined ? null : Number(portText)
  const name = host.replace(/^\[|\]$/g, '')
  if (port === null || (port > 0 && port < 65_536)) {
    if (isAddress(name)) return { range: single(name), port }
    if (hostPattern.test(host)) return { host, port }
  }
  throw new ConfigError(`OUTBOUND_ALLOW: "${entry}" is no host, host:port, address or CIDR range`)
}

/** True for an address in its usual notation. URL parsing normalises unusual ones (`0x7f.1`). */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

/**
 * True if a request for `host` and `port` may go to `address`: it is public, or a rule allows it. Public: what
 * ipaddr.js calls unicast, with IPv4 inside IPv6 taken as IPv4; of IPv6 only the globally assigned part (2000::/3),
 * which excludes the old IPv4-compatible form `::127.0.0.1`.
 */
export function mayReach(rules: readonly AllowRule[], host: string, port: number, address: string): boolean {
  if (!isAddress(address)) return false
  const parsed = ipaddr.process(address)
  return isPublic(parsed) || rules.some((rule) => allows(rule, host, port, parsed))
}

const isPublic = (address: Address) =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(globalIpv6))

function allows(rule: AllowRule, host: string, port: number, address: Address): boolean {
  if (rule.port !== null && rule.port !== port) return false
  if ('host' in rule) return rule.host === host
  return rule.range[0].kind() === address.kind() && address.match(rule.range)
}

function single(text: string): [Address, number] {
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
