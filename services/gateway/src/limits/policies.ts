import type { Limits } from '../config'
import type { Target } from '../front/target'
import type { Policy } from './token-bucket'

/** What limits a request, besides the caller's own rate. */
export interface Attempt {
  readonly policy: Policy
  /** Whether it is also counted by the account that its body names (`email`): where each attempt sends it a mail. */
  readonly byAccount: boolean
}

/** The policies of a deployment. */
export interface Policies {
  /** Of every caller. */
  readonly requests: Policy
  /** Of what is tried without credentials: to log in, to register, to set a password. Null for all else. */
  attemptOf(target: Target, method: string): Attempt | null
}

const fiveMinutes = 300

/**
 * A log-in is counted by its address alone: the identity manager counts accounts, and shuts nobody out for what others do
 * (decisions, Locked out). decisions, Who may call 7, and Gateway: what an anonymous caller may do costs mails, password hashes and rows.
 */
const attempts: readonly { service: Target['service']; path: RegExp; name: string; byAccount: boolean }[] = [
  { service: 'identity-manager', path: /^\/auth\/login$/, name: 'login', byAccount: false },
  { service: 'identity-manager', path: /^\/auth\/mfa$/, name: 'code', byAccount: false },
  // Apart: a log-in by passkey takes both.
  { service: 'identity-manager', path: /^\/auth\/mfa\/options$/, name: 'passkey', byAccount: false },
  { service: 'identity-manager', path: /^\/auth\/single-sign-on\/begin$/, name: 'sign-on-begin', byAccount: false },
  { service: 'identity-manager', path: /^\/auth\/single-sign-on\/complete$/, name: 'sign-on', byAccount: false },
  { service: 'identity-manager', path: /^\/auth\/forgot-password$/, name: 'forgot-password', byAccount: true },
  { service: 'identity-manager', path: /^\/auth\/(reset|change)-password\//, name: 'password', byAccount: false },
  { service: 'identity-manager', path: /^\/users\/register$/, name: 'register', byAccount: false },
  { service: 'main-api', path: /^\/participants$/, name: 'participants', byAccount: false },
]

export function createPolicies({ perSecond, login }: Pick<Limits, 'perSecond' | 'login'>): Policies {
  const requests: Policy = { name: 'requests', burst: perSecond, seconds: 1 }
  const known = attempts.map((attempt) => ({
    ...attempt,
    policy: { name: attempt.name, burst: login, seconds: fiveMinutes },
  }))
  return {
    requests,
    attemptOf: ({ service, path }, method) =>
      method === 'POST' ? (known.find((each) => each.service === service && each.path.test(path)) ?? null) : null,
  }
}
