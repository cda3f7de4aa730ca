import { isEmailAddress, type RoleName } from '@bursar/contracts/identity-manager'
import type { AccountName } from '../provider-accounts/provider-accounts'
import { type Owner, rolesOf, scopeOfOwner } from '../roles/roles'
import type { Claims } from './provider'
import type { SingleSignOn } from './settings'

/** The person who logged in at the provider. */
export interface Person {
  readonly account: AccountName
  /** Null if there is no valid address. */
  readonly email: string | null
  /** Whether the provider has verified the address. */
  readonly isEmailVerified: boolean
  readonly name: string | null
  /** Roles of all scopes; the user's owner decides which count. */
  readonly roles: readonly RoleName[]
  /** The participant in the token: null for staff, undefined for a participant unknown to the settings. */
  readonly participantId: string | null | undefined
  /** When a second factor was verified there, if known; null when the token mentions none. */
  readonly secondFactorAt: Date | null
}

const longestName = 255

/** Reads a verified ID token by the settings. */
export function personOf(claims: Claims, settings: SingleSignOn, now: Date): Person {
  const { iss: issuer, sub: subject, email, name } = claims
  const values = textsAt(claims, settings.roleClaim)
  const hasEmail = typeof email === 'string' && isEmailAddress(email)
  return {
    account: { issuer, subject },
    email: hasEmail ? email : null,
    isEmailVerified: hasEmail && claims.email_verified === true,
    name: (typeof name === 'string' && oneLine(name)) || null,
    roles: [...new Set(values.flatMap((value) => settings.roles.get(value) ?? []))],
    participantId: participantOf(claims, settings),
    secondFactorAt: hasSecondFactor(claims, settings) ? authenticatedAt(claims, settings, now) : null,
  }
}

/** The person's roles as a user of this owner. None when the token names another owner. */
export function rolesFor(
  { roles, participantId }: Person,
  owner: Owner,
  { participantClaim }: SingleSignOn,
): RoleName[] {
  const isOwners = participantClaim === undefined || participantId === owner.participantId
  const allowed = rolesOf(scopeOfOwner(owner)).map(({ name }) => name)
  return isOwners ? roles.filter((role) => allowed.includes(role)) : []
}

/** Staff has no such claim. A claim with an unknown value, or two values, is a user of an unknown institution. */
function participantOf(claims: Claims, { participantClaim, participants }: SingleSignOn): string | null | undefined {
  const values = participantClaim === undefined ? [] : textsAt(claims, participantClaim)
  const ids = new Set(values.map((value) => participants.get(value)))
  if (ids.size === 0) return null
  return ids.size === 1 ? [...ids][0] : undefined
}

function hasSecondFactor(claims: Claims, { mfaMethods, mfaContexts }: SingleSignOn): boolean {
  const isMethod = textsAt(claims, 'amr').some((method) => mfaMethods.includes(method))
  return isMethod || textsAt(claims, 'acr').some((context) => mfaContexts.includes(context))
}

/** Without this claim the log-in may be long ago, and with one of the future, which is no time of a log-in. */
function authenticatedAt({ auth_time: seconds }: Claims, { clockToleranceSeconds }: SingleSignOn, now: Date): Date {
  const aheadMs = typeof seconds === 'number' ? seconds * 1000 - now.getTime() : Number.POSITIVE_INFINITY
  return aheadMs > clockToleranceSeconds * 1000 ? new Date(0) : new Date(now.getTime() + Math.min(aheadMs, 0))
}

/** A claim's texts, whether one or a list. A name with dots may also be a path to a nested claim. */
function textsAt(claims: Claims, name: string): string[] {
  const found = ownValue(claims, name) ?? name.split('.').reduce<unknown>(ownValue, claims)
  return (Array.isArray(found) ? found : [found]).filter((value) => typeof value === 'string' && value !== '')
}

const ownValue = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** A single line without characters that reverse its direction. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .slice(0, longestName)
    .toWellFormed()
    .trim()
