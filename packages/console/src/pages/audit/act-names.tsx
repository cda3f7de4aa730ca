import { useUserName } from '../../api/names'
import { useOwner } from '../../api/owners'
import { isUuid, shorten } from '../../format/words'
import { Id } from '../../ui/id'
import { Custodian, Institution } from '../../ui/organisations'
import type { AuditAct } from './audit-query'

const withoutRoles = {
  console: 'not logged in',
  api: 'not logged in',
  start: 'at its start',
  command: 'on the server',
}

/** The actor, by name if the identity manager knows it, and its roles. */
export function ActorName({ of: { actor, door, roles } }: { of: Pick<AuditAct, 'actor' | 'door' | 'roles'> }) {
  const name = useUserName(isUuid(actor) ? actor : null)
  return (
    <>
      <b title={actor}>{name.data ?? shorten(actor)}</b>
      <span class="sub actor-roles">{roles.length > 0 ? roles.join(', ') : withoutRoles[door]}</span>
    </>
  )
}

/** What an act was about: by its name where that is known, with a link to its page where it has one. */
export function ObjectName({ of: { service, action }, id }: { of: Pick<AuditAct, 'service' | 'action'>; id: string }) {
  const isKnown = isUuid(id)
  const account = useOwner('accounts', service === 'account' && isKnown ? id : null)
  const customer = useOwner('customers', service === 'customer' && isKnown ? id : null)
  const user = useUserName(service === 'identity-manager' && isKnown ? id : null)
  const name = account.data?.accountName ?? customer.data?.customerName ?? user.data
  if (isKnown && / \/(participants|admin\/pfi)\b/.test(action)) return <Institution id={id} />
  if (isKnown && / \/admin\/custodian-bank\b/.test(action)) return <Custodian id={id} />
  const href = pageOf(service, id)
  if (!name) return <Id value={id} isBare {...(href ? { href } : {})} />
  return href ? (
    <a href={href} title={id}>
      {name}
    </a>
  ) : (
    <b title={id}>{name}</b>
  )
}

const pages: Readonly<Record<string, string>> = {
  account: 'accounts',
  customer: 'customers',
  'core-ledger': 'transactions',
  'transaction-manager': 'bank',
}

const pageOf = (service: string, id: string): string | undefined =>
  Object.hasOwn(pages, service) && isUuid(id) ? `/console/${pages[service]}/${id}` : undefined
