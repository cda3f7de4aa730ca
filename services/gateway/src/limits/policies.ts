import type { Limits } from '../config'
import type { Target } from '../front/target'
import type { Policy } from './token-bucket'

/** The limit of an attempt, besides the caller's own rate. */
export interface Attempt {
  readonly policy: Policy
  /** Of all networks of an IPv6 site together: whoever has a site would have 65,536 times as many. */
  readonly ofSite: Policy
  /** Whether it is also counted by the account in its body (`email`), because each attempt sends a mail. */
  readonly byAccount: boolean
}

const fiveMinutes = 300
const sitesShare = 20

/**
 * A log-in is counted only by its address: the identity manager counts accounts, and locks nobody out for others'
 * attempts (decisions, Locked out). decisions, Who may call 7, and Gateway: anonymous requests cost mails, password
 * hashes and rows.
 */
const attempts: readonly { service: Target['service']; path: RegExp; name: string; byAccount: boolean }[] = [
  { service: 'identity-manager', path: /^\/auth\/login$/, name: 'login', byAccount: false },
  { service: 'identity-manager', path: /^\/auth\/mfa$/, name: 'code', byAccount: false },
  // Separate, because a log-in by passkey needs both.
  { service: 'identity-manager', path: /^\/auth\/mfa\/options$/, name: 'passkey', byAccount: false },
  { service: 'identity-manager', path: /^\/auth\/single-sign-on\/begin$/, name: 'sign-on-begin', byAccount: false },
  { service: 'identity-manager', path: /^\/auth\/single-sign-on\/complete$/, name: 'sign-on', byAccount: false },
  { service: 'identity-manager', path: /^\/auth\/forgot-password$/, name: 'forgot-password', byAccount: true },
  { service: 'identity-manager', path: /^\/auth\/(reset|change)-password\//, name: 'password', byAccount: false },
  { service: 'identity-manager', path: /^\/users\/register$/, name: 'register', byAccount: false },
  { service: 'main-api', path: /^\/participants$/, name: 'participants', byAccount: false },
]

/** The policies of a deployment. */
export function createPolicies({ perSecond, login }: Pick<Limits, 'perSecond' | 'login'>) {
  /** The limit of every caller. */
  const requests: Policy = { name: 'requests', burst: perSecond, seconds: 1 }
  const known = attempts.map((attempt) => ({
    ...attempt,
    policy: { name: attempt.name, burst: login, seconds: fiveMinutes },
    ofSite: { name: `${attempt.name}-site`, burst: sitesShare * login, seconds: fiveMinutes },
  }))
  /** The limit of attempts without credentials: log-in, registration, setting a password. Null for other requests. */
  const attemptOf = ({ service, path }: Target, method: string): Attempt | null =>
    method === 'POST' ? (known.find((each) => each.service === service && each.path.test(path)) ?? null) : null
  return { requests, attemptOf }
}
