import { isEmailAddress, type RoleName } from '@bursar/contracts/identity-manager'
import type { AccountName } from '../provider-accounts/provider-accounts'
import { type Owner, rolesOf, scopeOfOwner } from '../roles/roles'
import type { Claims } from './provider'
import type { SingleSignOn } from './settings'

/** Who has logged in at the provider, as far as it counts here. */
export interface Person {
  readonly account: AccountName
  /** Null for none that mail can be sent to. */
  readonly email: string | null
  /** Whether the provider has seen that the address is this person's. */
  readonly isEmailVerified: boolean
  readonly name: string | null
  /** Of every scope: which of them count depends on whose user it is. */
  readonly roles: readonly RoleName[]
  /** Whose user the token makes it: null for staff, undefined where it names a participant that is none of the settings'. */
  readonly participantId: string | null | undefined
  /** When it has shown a second factor there, as far as that is known; null where the token says of none. */
  readonly secondFactorAt: Date | null
}

const longestName = 255

/** What a verified ID token says, by the settings. */
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
    secondFactorAt: hasSecondFactor(claims, settings) ? authenticatedAt(claims, now) : null,
  }
}

/** The roles that the person has as a user of this owner. None where the token makes it another's user. */
export function rolesFor(
  { roles, participantId }: Person,
  owner: Owner,
  { participantClaim }: SingleSignOn,
): RoleName[] {
  const isOwners = participantClaim === undefined || participantId === owner.participantId
  const allowed = rolesOf(scopeOfOwner(owner)).map(({ name }) => name)
  return isOwners ? roles.filter((role) => allowed.includes(role)) : []
}

/** Staff has no such claim. One that names something else, or two, is an institution's user whom nobody knows. */
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

/** A token that does not say so may be of a log-in long ago. */
const authenticatedAt = ({ auth_time: seconds }: Claims, now: Date): Date =>
  typeof seconds === 'number' ? new Date(Math.min(seconds * 1000, now.getTime())) : new Date(0)

/** A claim's texts, whether it is one or a list. A name with dots may also be the way to one within another. */
function textsAt(claims: Claims, name: string): string[] {
  const found = ownValue(claims, name) ?? name.split('.').reduce<unknown>(ownValue, claims)
  return (Array.isArray(found) ? found : [found]).filter((value) => typeof value === 'string' && value !== '')
}

const ownValue = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** No line that is not one, and nothing that turns its letters round. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .slice(0, longestName)
    .toWellFormed()
    .trim()
