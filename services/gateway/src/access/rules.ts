import type { RoleName } from '@bursar/contracts/identity-manager'
import type { ServiceName } from '@bursar/contracts/services'

/** A kind of caller: a role of a user, or the holder of a participant's API key. */
export type Who = RoleName | 'key'

/** Kinds of objects that belong to participants or custodian banks; owners.ts looks up the owner. */
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

/** The place of an object's id in a request. */
export interface Named {
  readonly kind: OwnedKind
  /** `queryList`: each of its values may be several, with commas between them. */
  readonly place: 'path' | 'query' | 'queryList' | 'body'
  /** The name of the path segment, query parameter or body field. */
  readonly name: string
}

/** Who may use a route. */
export interface Rule {
  /** Anybody, without credentials. */
  readonly isOpen?: true
  /** These may use it for any object. */
  readonly any: readonly Who[]
  /** These may use it only for their own objects; the first rule for the caller applies. */
  readonly own?: readonly OwnRule[]
}

/** For these roles, if all the named objects are the caller's own; the request must name at least one. */
export interface OwnRule {
  readonly who: readonly Who[]
  readonly named: readonly Named[]
}

export const admins: readonly Who[] = ['admin']
export const operators: readonly Who[] = ['admin', 'operator']
export const readers: readonly Who[] = ['admin', 'operator', 'viewer']
export const participants: readonly Who[] = ['participant-admin', 'participant-user', 'key']
/** Those who act for a participant in matters of its institution. */
export const participantAdmins: readonly Who[] = ['participant-admin', 'key']
export const custodians: readonly Who[] = ['custodian-admin', 'custodian-user']
const everybody: readonly Who[] = [...readers, ...participants, ...custodians]

export const open: Rule = { isOpen: true, any: everybody }
/** For everybody: assets, rates, data on chains. */
export const everyone: Rule = { any: everybody }
export const only = (...who: readonly (readonly Who[])[]): Rule => ({ any: who.flat() })

/** For these roles, and for participants if all named objects are their own. */
export const orOwn = (any: readonly Who[], ...named: readonly Named[]): Rule => ({
  any,
  own: [{ who: participants, named }],
})
export const orOwnOf = (any: readonly Who[], who: readonly Who[], ...named: readonly Named[]): Rule => ({
  any,
  own: [{ who, named }],
})
/** The same, and for custodian banks if all named objects are theirs. */
export const orOfCustodian = (rule: Rule, ...named: readonly Named[]): Rule => ({
  ...rule,
  own: [...(rule.own ?? []), { who: custodians, named }],
})

const named =
  (place: Named['place']) =>
  (kind: OwnedKind, name: string): Named => ({ kind, place, name })
export const path = named('path')
export const query = named('query')
export const queryList = named('queryList')
export const body = named('body')

/** The service itself limits a participant to its own records, by the signed caller. */
export const ofCaller = {
  everyone,
  participants: only(participants),
  staffAndParticipants: only(readers, participants),
}

/** The rules of services, each by method and path. */
export type Rules = Readonly<Partial<Record<ServiceName, Readonly<Record<string, Rule>>>>>
