import type { RoleName } from '@bursar/contracts/identity-manager'
import type { ServiceName } from '@bursar/contracts/services'

/** What a caller can be: a role of a user, or the holder of a participant's API key. */
export type Who = RoleName | 'key'

/** Kinds of objects that belong to participants or custodian banks; owners.ts finds out to whom. */
export type OwnedKind =
  | 'participant'
  | 'customer'
  | 'customerExternalId'
  | 'account'
  | 'transaction'
  | 'message'
  | 'payment'
  | 'paymentOfPayer'
  | 'paymentReference'
  | 'bankAccount'
  | 'custodianBank'
  | 'participantAtBank'

/** Where a request names an object. */
export interface Named {
  readonly kind: OwnedKind
  readonly place: 'path' | 'query' | 'body'
  /** Of the path's segment, the query's parameter, or the body's field. */
  readonly name: string
}

/** Who may use a route. */
export interface Rule {
  /** Without credentials. */
  readonly isOpen?: true
  /** Whatever object it is about. */
  readonly any: readonly Who[]
  /** Where it is about nothing but objects of the caller's own; the first that is for the caller holds. */
  readonly own?: readonly OwnRule[]
}

/** For these roles, where all of these that the request names are the caller's own; it must name at least one. */
export interface OwnRule {
  readonly who: readonly Who[]
  readonly named: readonly Named[]
}

export const admins: readonly Who[] = ['admin']
export const operators: readonly Who[] = ['admin', 'operator']
export const readers: readonly Who[] = ['admin', 'operator', 'viewer']
export const participants: readonly Who[] = ['participant-admin', 'participant-user', 'key']
/** Who acts for a participant in matters of its institution. */
export const participantAdmins: readonly Who[] = ['participant-admin', 'key']
export const custodians: readonly Who[] = ['custodian-admin', 'custodian-user']
const everybody: readonly Who[] = [...readers, ...participants, ...custodians]

export const open: Rule = { isOpen: true, any: everybody }
/** Common to all: assets, rates, what stands on a chain. */
export const everyone: Rule = { any: everybody }
export const only = (...who: readonly (readonly Who[])[]): Rule => ({ any: who.flat() })

/** For these roles; for participants where all that is named is their own. */
export const orOwn = (any: readonly Who[], ...named: readonly Named[]): Rule => ({
  any,
  own: [{ who: participants, named }],
})
export const orOwnOf = (any: readonly Who[], who: readonly Who[], ...named: readonly Named[]): Rule => ({
  any,
  own: [{ who, named }],
})
/** The same, and for custodian banks where all of these are theirs. */
export const orOfCustodian = (rule: Rule, ...named: readonly Named[]): Rule => ({
  ...rule,
  own: [...(rule.own ?? []), { who: custodians, named }],
})

const named =
  (place: Named['place']) =>
  (kind: OwnedKind, name: string): Named => ({ kind, place, name })
export const path = named('path')
export const query = named('query')
export const body = named('body')

/** The service itself shows a participant nothing but what is its own, by the caller that it is told. */
export const ofCaller = {
  everyone,
  participants: only(participants),
  staffAndParticipants: only(readers, participants),
}

/** The rules of services, each by method and path. */
export type Rules = Readonly<Partial<Record<ServiceName, Readonly<Record<string, Rule>>>>>
